package io.jaccl4j.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.Supplier;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.LifecycleMethodExecutionExceptionHandler;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;

/**
 * Gives a test class its processes, and a failed test their logs. For a static field: to start a
 * JVM takes longer than most tests, so that those of a class share them, and revive who is gone.
 */
final class RankProcessFixture
    implements BeforeAllCallback,
        AfterEachCallback,
        AfterAllCallback,
        TestExecutionExceptionHandler,
        LifecycleMethodExecutionExceptionHandler {
  private final int count;
  private final ProcessConfig config;
  private final Supplier<? extends Placement> placement;
  private RankProcessGroup group;

  RankProcessFixture(int count, ProcessConfig config) {
    this(count, config, () -> Placement.HERE);
  }

  /**
   * A fixture.
   *
   * @param placement made before the processes start
   */
  RankProcessFixture(int count, ProcessConfig config, Supplier<? extends Placement> placement) {
    this.count = count;
    this.config = config;
    this.placement = placement;
  }

  RankProcessGroup group() {
    return group;
  }

  @Override
  public void beforeAll(ExtensionContext context) throws Exception {
    group = RankProcessGroup.start(count, config, placement.get());
  }

  @Override
  public void handleTestExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    group.attachLogs(failure);
    throw failure;
  }

  @Override
  public void handleBeforeEachMethodExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    group.attachLogs(failure);
    throw failure;
  }

  @Override
  public void afterEach(ExtensionContext context) throws Exception {
    assertThat(group.sharedFiles()).as("files in the directory for shared memory").isEmpty();
  }

  @Override
  public void afterAll(ExtensionContext context) {
    if (group != null) {
      group.close();
    }
  }
}
