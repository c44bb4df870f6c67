package io.jaccl4j.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * One started process: two daemon threads read what it prints, its messages become events. What is
 * not a message is log, of which the end is kept.
 */
final class RankProcess {
  private static final int LOG_LINES = 400;

  /** A grandchild could hold the pipes open; the exit is told all the same. */
  private static final long DRAIN_MILLIS = 1_000;

  private final int number;
  private final Process process;
  private final Writer stdin;
  private final Consumer<ProcessEvent> events;
  private final BiConsumer<Integer, String> logListener;
  private final LogTail log = new LogTail(LOG_LINES);

  private RankProcess(
      int number,
      Process process,
      Consumer<ProcessEvent> events,
      BiConsumer<Integer, String> logListener) {
    this.number = number;
    this.process = process;
    this.stdin = process.outputWriter();
    this.events = events;
    this.logListener = logListener;
  }

  /**
   * Starts a process.
   *
   * @param events called on threads of this process object
   * @param logListener told the number and every log line
   */
  static RankProcess start(
      int number,
      List<String> command,
      Consumer<ProcessEvent> events,
      BiConsumer<Integer, String> logListener)
      throws IOException {
    RankProcess started =
        new RankProcess(number, new ProcessBuilder(command).start(), events, logListener);
    started.watch();
    return started;
  }

  long pid() {
    return process.pid();
  }

  /** The end of what it printed besides its messages. */
  List<String> log() {
    return log.lines();
  }

  /** Writes one line to its stdin. */
  void send(String line) throws IOException {
    stdin.write(line);
    stdin.write('\n');
    stdin.flush();
  }

  /** Asks it to end: end of file on its stdin, and SIGTERM. */
  void askToEnd() {
    try {
      stdin.close();
    } catch (IOException e) {
      log.add("closing its stdin: " + e);
    }
    // Process.destroy() would close the pipes too, and with them the reason for a failure.
    process.toHandle().destroy();
  }

  /** Ends it. */
  void kill() {
    process.toHandle().destroyForcibly();
  }

  /** Waits for its end; false if the time was over first. */
  boolean awaitEnd(long timeoutNanos) throws InterruptedException {
    return process.waitFor(Math.max(0, timeoutNanos), TimeUnit.NANOSECONDS);
  }

  private void watch() {
    CompletableFuture<Void> stdout = read("stdout", process.inputReader(), this::onStdoutLine);
    CompletableFuture<Void> stderr = read("stderr", process.errorReader(), this::onLogLine);
    CompletableFuture<Void> drained = CompletableFuture.allOf(stdout, stderr);
    process
        .onExit()
        .thenCompose(
            ended ->
                drained
                    .completeOnTimeout(null, DRAIN_MILLIS, TimeUnit.MILLISECONDS)
                    .thenApply(nothing -> ended.exitValue()))
        .thenAccept(exitCode -> events.accept(new ProcessEvent.Exited(number, exitCode)));
  }

  private CompletableFuture<Void> read(
      String name, BufferedReader reader, Consumer<String> onLine) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    Thread.ofPlatform()
        .daemon()
        .name("process-" + number + "-" + name)
        .start(
            () -> {
              try (reader) {
                reader.lines().forEach(onLine);
              } catch (IOException | RuntimeException e) {
                onLogLine("reading its " + name + ": " + e);
              } finally {
                done.complete(null);
              }
            });
    return done;
  }

  private void onStdoutLine(String line) {
    Optional<RankMessage> message;
    try {
      message = RankProtocol.decode(line);
    } catch (IllegalArgumentException | ArithmeticException e) {
      message =
          Optional.of(new RankMessage.Failed(ExitCode.FAILED, "said something unreadable: " + e));
    }
    message.ifPresentOrElse(
        said -> events.accept(new ProcessEvent.Said(number, said)), () -> onLogLine(line));
  }

  private void onLogLine(String line) {
    log.add(line);
    logListener.accept(number, line);
  }
}
