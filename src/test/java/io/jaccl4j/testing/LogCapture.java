package io.jaccl4j.testing;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** What one logger says, from a level up, until this is closed; also what is not printed. */
public final class LogCapture implements AutoCloseable {
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final Logger logger;
  private final Level levelBefore;
  private final boolean additiveBefore;
  private final AppenderBase<ILoggingEvent> appender =
      new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
          lines.add(event.getLevel() + " " + event.getFormattedMessage());
        }
      };

  private LogCapture(Logger logger, Level level) {
    this.logger = logger;
    this.levelBefore = logger.getLevel();
    this.additiveBefore = logger.isAdditive();
    appender.start();
    logger.addAppender(appender);
    logger.setAdditive(false);
    logger.setLevel(level);
  }

  /** Captures everything down to debug lines. */
  public static LogCapture debug(String loggerName) {
    return new LogCapture((Logger) LoggerFactory.getLogger(loggerName), Level.DEBUG);
  }

  /** The lines so far: level, space, message. */
  public List<String> lines() {
    return List.copyOf(lines);
  }

  @Override
  public void close() {
    logger.setLevel(levelBefore);
    logger.setAdditive(additiveBefore);
    logger.detachAppender(appender);
    appender.stop();
  }
}
