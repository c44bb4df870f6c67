package io.jaccl4j.fabric;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the calls that one thread makes into a driver: whoever watches that thread can tell one
 * call that does not return from many that follow each other.
 */
public final class NativeCalls {
  private final AtomicLong begun = new AtomicLong();

  /** A call begins. The thread that makes the calls only. */
  public void begin() {
    // Nobody else writes, and a late reader sees a little more of the past.
    begun.lazySet(begun.getPlain() + 1);
  }

  /** Calls so far. Any thread. */
  public long begun() {
    return begun.get();
  }
}
