package io.jaccl4j.cli.bench;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.HdrHistogram.Histogram;

/** The cost of one copy between two buffers of this process: the yardstick for the group. */
final class CopyBenchmark {
  private static final long ROUND_NANOS = Duration.ofMillis(10).toNanos();

  /** The compiler may be late on a busy machine: the cost counts once it no longer falls. */
  private static final int ROUNDS_WITHOUT_GAIN = 4;

  private static final int MAX_ROUNDS = 20;
  private static final double GAIN = 0.95;

  /**
   * Small copies go to changing cache lines, or the compiler would drop all but the last, or make
   * one copy of many.
   */
  private static final int LINE_BYTES = 64;

  private static final int SPREAD_BYTES = 4096;

  /** So many bytes take long enough for the clock. */
  private static final long SAMPLE_BYTES = 256 * 1024;

  private static final int MAX_BATCH = 4096;

  private final LongSupplier nanoClock;

  CopyBenchmark(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /** The lowest of several rounds' medians. */
  double medianNanos(long bytes) {
    try (Arena arena = Arena.ofConfined()) {
      long strideBytes = Math.ceilDiv(bytes, LINE_BYTES) * LINE_BYTES;
      long spreadBytes = Math.max(SPREAD_BYTES / strideBytes, 1) * strideBytes;
      MemorySegment from = arena.allocate(spreadBytes, LINE_BYTES).fill((byte) 1);
      MemorySegment to = arena.allocate(spreadBytes, LINE_BYTES);
      int batch = Math.clamp(SAMPLE_BYTES / bytes, 1, MAX_BATCH);
      double bestNanos = Double.POSITIVE_INFINITY;
      int roundsWithoutGain = 0;
      for (int round = 0; round < MAX_ROUNDS && roundsWithoutGain < ROUNDS_WITHOUT_GAIN; round++) {
        double nanos = (double) medianOfRound(from, to, bytes, batch) / batch;
        roundsWithoutGain = nanos < GAIN * bestNanos ? 0 : roundsWithoutGain + 1;
        bestNanos = Math.min(bestNanos, nanos);
      }
      return bestNanos;
    }
  }

  private long medianOfRound(MemorySegment from, MemorySegment to, long bytes, int batch) {
    Histogram histogram = new Histogram(3);
    long startNanos = nanoClock.getAsLong();
    long endNanos;
    do {
      long sampleNanos = nanoClock.getAsLong();
      copy(from, to, bytes, batch);
      endNanos = nanoClock.getAsLong();
      histogram.recordValue(endNanos - sampleNanos);
    } while (endNanos - startNanos < ROUND_NANOS);
    return histogram.getValueAtPercentile(50);
  }

  private static void copy(MemorySegment from, MemorySegment to, long bytes, int times) {
    long strideBytes = Math.ceilDiv(bytes, LINE_BYTES) * LINE_BYTES;
    long offset = 0;
    for (int i = 0; i < times; i++) {
      MemorySegment.copy(from, offset, to, offset, bytes);
      offset += strideBytes;
      offset = offset == from.byteSize() ? 0 : offset;
    }
  }
}
