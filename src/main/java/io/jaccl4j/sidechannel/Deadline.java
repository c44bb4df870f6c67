package io.jaccl4j.sidechannel;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** A point in time that several waits share. */
final class Deadline {

  /** Waits are cut into pieces, so that a close, an interrupt or a moved clock is noticed. */
  private static final long LONGEST_WAIT_MILLIS = 100;

  private final LongSupplier nanoClock;
  private final long startNanos;
  private final long endNanos;

  Deadline(long timeoutNanos, LongSupplier nanoClock) {
    if (timeoutNanos <= 0) {
      throw new IllegalArgumentException("timeout is " + timeoutNanos + " ns, want it positive");
    }
    this.nanoClock = nanoClock;
    this.startNanos = nanoClock.getAsLong();
    // Half the range of the clock is as good as for ever, and can be compared.
    this.endNanos = startNanos + Math.min(timeoutNanos, Long.MAX_VALUE / 2);
  }

  private Deadline(LongSupplier nanoClock, long startNanos, long endNanos) {
    this.nanoClock = nanoClock;
    this.startNanos = startNanos;
    this.endNanos = endNanos;
  }

  /** The earlier one of this and a new one; past if this is. */
  Deadline within(long nanos) {
    Deadline other = new Deadline(nanos, nanoClock);
    return new Deadline(
        nanoClock, other.startNanos, endNanos - other.endNanos < 0 ? endNanos : other.endNanos);
  }

  boolean isPast() {
    return endNanos - nanoClock.getAsLong() <= 0;
  }

  /** What is left; at least 1, so that the next wait ends at once and says what it waited for. */
  long remainingNanos() {
    return Math.max(1, endNanos - nanoClock.getAsLong());
  }

  /** How long the next piece of a wait may be, in milliseconds, at least 1. */
  long waitMillis() {
    return Math.clamp(TimeUnit.NANOSECONDS.toMillis(remainingNanos()), 1, LONGEST_WAIT_MILLIS);
  }

  long elapsedNanos() {
    return nanoClock.getAsLong() - startNanos;
  }

  /** Time since the start, for people. */
  String elapsedText() {
    return "%.1f s".formatted(elapsedNanos() / 1e9);
  }
}
