package io.jaccl4j.cli.job;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** What jobs on a thread of their own await from other threads. */
public final class Stages {

  private Stages() {}

  /**
   * The result of a stage; what it failed with is thrown as it is.
   *
   * @param what for the error if it is not there in time
   */
  public static <T> T await(CompletionStage<T> stage, Duration patience, String what)
      throws InterruptedException {
    try {
      return stage.toCompletableFuture().get(patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new IllegalStateException(
          what + " took more than " + patience.toMillis() + " ms; raise --work-timeout", e);
    } catch (ExecutionException e) {
      throw switch (e.getCause()) {
        case RuntimeException cause -> cause;
        case Error cause -> throw cause;
        default -> new IllegalStateException(what + " failed", e.getCause());
      };
    }
  }
}
