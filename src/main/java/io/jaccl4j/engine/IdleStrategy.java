package io.jaccl4j.engine;

import io.jaccl4j.GroupSettings;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** What a thread does that has found nothing to do. */
@FunctionalInterface
public interface IdleStrategy {

  /**
   * Idles once.
   *
   * @param idleNanos how long there has been nothing to do
   */
  void idle(long idleNanos);

  /**
   * Spins, then yields, then sleeps on the fabric or, where it cannot be slept on, parks.
   *
   * @param sleep sleeps until there may be something to do; says whether it can
   * @param oversubscribed more ranks than processors share this machine: whoever spins then only
   *     keeps the awaited rank from running
   */
  static IdleStrategy of(
      GroupSettings.Idle settings, BooleanSupplier sleep, boolean oversubscribed) {
    long spinNanos = oversubscribed ? 0 : settings.spin().toNanos();
    long yieldNanos = spinNanos + settings.yield().toNanos();
    long parkNanos = settings.park().toNanos();
    return idleNanos -> {
      if (idleNanos < spinNanos) {
        Thread.onSpinWait();
      } else if (idleNanos < yieldNanos) {
        Thread.yield();
      } else if (!sleep.getAsBoolean()) {
        LockSupport.parkNanos(parkNanos);
      }
    };
  }
}
