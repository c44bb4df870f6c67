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

  /** Small copies go to changing places, so that the compiler cannot drop all but the last. */
  private static final long SPREAD_BYTES = 4096;

  private static final int SMALL_BATCH = 4096;
  private static final long SMALL_BYTES = 64 * 1024;

  private final LongSupplier nanoClock;

  CopyBenchmark(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  double medianNanos(long bytes) {
    try (Arena arena = Arena.ofConfined()) {
      long places = Math.max(1, SPREAD_BYTES / bytes);
      MemorySegment from = arena.allocate(places * bytes, 64).fill((byte) 1);
      MemorySegment to = arena.allocate(places * bytes, 64);
      int batch = Math.clamp(SMALL_BATCH * 64L / bytes, 1, SMALL_BATCH);
      batch = bytes >= SMALL_BYTES ? 1 : batch;
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
    long lastOffset = from.byteSize() - bytes;
    long offset = 0;
    for (int i = 0; i < times; i++) {
      MemorySegment.copy(from, offset, to, offset, bytes);
      offset = offset == lastOffset ? 0 : offset + bytes;
    }
  }
}
