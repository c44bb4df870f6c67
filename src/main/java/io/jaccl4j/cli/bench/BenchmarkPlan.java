package io.jaccl4j.cli.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What to measure.
 *
 * @param sizesBytes message sizes, multiples of 4, ascending
 * @param timePerSize about how long to measure one size, after half as long a warm-up
 */
public record BenchmarkPlan(List<Long> sizesBytes, Duration timePerSize) {
  private static final int FACTOR = 16;
  private static final long SMALL_VECTORS_BYTES = 1L << 20;

  public BenchmarkPlan {
    sizesBytes = List.copyOf(sizesBytes);
    if (sizesBytes.isEmpty()) {
      throw new IllegalArgumentException("no message size");
    }
    for (long bytes : sizesBytes) {
      if (bytes < Float.BYTES || bytes % Float.BYTES != 0) {
        throw new IllegalArgumentException(
            "message size is " + bytes + " bytes, want a multiple of 4 from 4 up");
      }
    }
    if (!timePerSize.isPositive()) {
      throw new IllegalArgumentException("time per size is " + timePerSize + ", want more than 0");
    }
  }

  /** The smallest size, every 16-fold of it below the largest, and the largest. */
  public static BenchmarkPlan ofRange(long minBytes, long maxBytes, Duration timePerSize) {
    if (minBytes < 1 || maxBytes < minBytes) {
      throw new IllegalArgumentException(
          "sizes from " + minBytes + " to " + maxBytes + " bytes, want 1 <= min <= max");
    }
    List<Long> sizes = new ArrayList<>();
    for (long bytes = minBytes; bytes < maxBytes; bytes *= FACTOR) {
      sizes.add(bytes);
    }
    sizes.add(maxBytes);
    return new BenchmarkPlan(sizes, timePerSize);
  }

  /** The largest message. */
  public long maxBytes() {
    return sizesBytes.getLast();
  }

  /** What a rank needs of the group's memory: one input, one output, some for small vectors. */
  public long memoryBytes() {
    return 2 * maxBytes() + SMALL_VECTORS_BYTES;
  }
}
