package io.jaccl4j.process;

import java.io.IOException;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;

/**
 * Gives a test its processes, and a failed test their logs. As a static field of the test class it
 * keeps them for all tests, otherwise it ends them after each.
 */
final class RankProcessFixture
    implements BeforeAllCallback,
        AfterEachCallback,
        AfterAllCallback,
        TestExecutionExceptionHandler {
  private RankProcessGroup group;
  private boolean shared;

  /** Starts the processes; once. */
  RankProcessGroup start(int count, ProcessConfig config) throws IOException {
    if (group != null) {
      throw new IllegalStateException("started already");
    }
    group = RankProcessGroup.start(count, config);
    return group;
  }

  RankProcessGroup group() {
    return group;
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    shared = true;
  }

  @Override
  public void handleTestExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    if (group != null) {
      group.attachLogs(failure);
    }
    throw failure;
  }

  @Override
  public void afterEach(ExtensionContext context) {
    if (!shared) {
      close();
    }
  }

  @Override
  public void afterAll(ExtensionContext context) {
    close();
  }

  private void close() {
    if (group != null) {
      group.close();
      group = null;
    }
  }
}
