package io.jaccl4j.testing;

import io.jaccl4j.engine.NanoClock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** The system's clock, which a test can set forward instead of sleeping. */
public final class ShiftedClock implements NanoClock {
  private final AtomicLong shiftNanos = new AtomicLong();

  @Override
  public long nanoTime() {
    return System.nanoTime() + shiftNanos.get();
  }

  public void forward(Duration duration) {
    shiftNanos.addAndGet(duration.toNanos());
  }
}
