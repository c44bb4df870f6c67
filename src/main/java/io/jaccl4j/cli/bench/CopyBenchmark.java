package io.jaccl4j.cli.bench;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.HdrHistogram.Histogram;

/** The cost of one copy between two buffers of this process: the yardstick for the group. */
final class CopyBenchmark {
  private static final long WARMUP_NANOS = Duration.ofMillis(150).toNanos();
  private static final long MEASURE_NANOS = Duration.ofMillis(60).toNanos();

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

  double medianNanos(long bytes) {
    try (Arena arena = Arena.ofConfined()) {
      long strideBytes = Math.ceilDiv(bytes, LINE_BYTES) * LINE_BYTES;
      long spreadBytes = Math.max(SPREAD_BYTES / strideBytes, 1) * strideBytes;
      MemorySegment from = arena.allocate(spreadBytes, LINE_BYTES).fill((byte) 1);
      MemorySegment to = arena.allocate(spreadBytes, LINE_BYTES);
      int batch = Math.clamp(SAMPLE_BYTES / bytes, 1, MAX_BATCH);
      record(from, to, bytes, batch, WARMUP_NANOS);
      Histogram histogram = record(from, to, bytes, batch, MEASURE_NANOS);
      return (double) histogram.getValueAtPercentile(50) / batch;
    }
  }

  private Histogram record(
      MemorySegment from, MemorySegment to, long bytes, int batch, long budgetNanos) {
    Histogram histogram = new Histogram(3);
    long startNanos = nanoClock.getAsLong();
    long endNanos;
    do {
      long sampleNanos = nanoClock.getAsLong();
      copy(from, to, bytes, batch);
      endNanos = nanoClock.getAsLong();
      histogram.recordValue(endNanos - sampleNanos);
    } while (endNanos - startNanos < budgetNanos);
    return histogram;
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
