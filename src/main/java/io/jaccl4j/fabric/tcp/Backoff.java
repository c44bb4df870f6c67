package io.jaccl4j.fabric.tcp;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * How long to wait between rounds of attempts, and for each attempt: longer every time, with
 * jitter, so that ranks that failed together do not try again together.
 */
final class Backoff {
  private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
  private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final long FIRST_ATTEMPT_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long LONGEST_ATTEMPT_NANOS = TimeUnit.SECONDS.toNanos(8);

  private final SplittableRandom random;
  private long pauseNanos = FIRST_PAUSE_NANOS;
  private long attemptNanos = FIRST_ATTEMPT_NANOS;

  Backoff(SplittableRandom random) {
    this.random = random;
  }

  /** How long one attempt may take. */
  long attemptNanos() {
    return attemptNanos;
  }

  /** Begins the next round; returns the pause before it: half to all of the nominal one. */
  long nextPauseNanos() {
    long pause = pauseNanos / 2 + random.nextLong(pauseNanos / 2 + 1);
    pauseNanos = Math.min(2 * pauseNanos, LONGEST_PAUSE_NANOS);
    return pause;
  }

  /** An attempt took all its time: the way may be long. */
  void lengthenAttempts() {
    attemptNanos = Math.min(2 * attemptNanos, LONGEST_ATTEMPT_NANOS);
  }
}
