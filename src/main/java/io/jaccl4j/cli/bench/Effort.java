package io.jaccl4j.cli.bench;

import java.time.Duration;

/**
 * How much to measure.
 *
 * @param timePerSize about how long to measure one size; bounds the warm-up too
 * @param iterations operations to measure per size, or 0 for as many as the time holds
 */
public record Effort(Duration timePerSize, int iterations) {

  public Effort {
    if (!timePerSize.isPositive()) {
      throw new IllegalArgumentException("time per size is " + timePerSize + ", want more than 0");
    }
    if (iterations < 0) {
      throw new IllegalArgumentException("iterations are " + iterations + ", want 0 or more");
    }
  }

  /** Measures by time. */
  public static Effort ofTime(Duration timePerSize) {
    return new Effort(timePerSize, 0);
  }
}
