package io.jaccl4j.cli.bench;

import io.jaccl4j.Dtype;
import io.jaccl4j.Session;
import io.jaccl4j.cli.job.Check;
import io.jaccl4j.cli.job.Quantity;
import io.jaccl4j.cli.job.RankJob;
import io.jaccl4j.cli.job.StepResult;
import io.jaccl4j.cli.job.TimeFormat;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.HdrHistogram.Histogram;

/**
 * Latency of all_sum float32, out of place, in buffers of the group, on the engine thread.
 *
 * <p>All ranks must do the same number of operations although each has its own clock: after every
 * round they agree on the slowest rank's time by an allMax and derive the next count from that.
 */
public final class AllSumBenchmark implements RankJob {
  private static final ValueLayout.OfFloat FLOAT32 =
      ValueLayout.JAVA_FLOAT.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong INT64 =
      ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);

  /** A sample lasts at least about this long, or reading the clock would be much of it. */
  private static final long SAMPLE_NANOS = 5_000;

  private static final int MAX_BATCH = 64;
  private static final int MIN_SAMPLES = 21;
  private static final int MAX_SAMPLES = 200_000;

  private final BenchmarkPlan plan;
  private final int processors;
  private final LongSupplier nanoClock;
  private final CopyBenchmark copyBenchmark;

  public AllSumBenchmark(BenchmarkPlan plan, int processors, LongSupplier nanoClock) {
    this.plan = plan;
    this.processors = processors;
    this.nanoClock = nanoClock;
    this.copyBenchmark = new CopyBenchmark(nanoClock);
  }

  @Override
  public void run(Session session, Consumer<StepResult> report) {
    MemorySegment in = session.allocate(plan.maxBytes());
    MemorySegment out = session.allocate(plan.maxBytes());
    MemorySegment agreement = session.allocate(Long.BYTES);
    for (long element = 0; element < plan.maxBytes() / Float.BYTES; element++) {
      in.setAtIndex(FLOAT32, element, session.rank() + 1);
    }
    List<StepResult.Row> rows = new ArrayList<>();
    for (long bytes : plan.sizesBytes()) {
      MemorySegment input = in.asSlice(0, bytes);
      MemorySegment output = out.asSlice(0, bytes);
      output.fill((byte) 0);
      Measurement measurement = measure(session, input, output, agreement);
      rows.add(new StepResult.Row(cells(measurement), List.of(sumCheck(session, output))));
    }
    report.accept(
        new StepResult(
            String.format(
                "Benchmark: all_sum float32, %s, %s",
                Quantity.of(session.size(), "rank"), Quantity.of(processors, "processor")),
            List.of("bytes", "operations", "median", "p99", "memcpy", "median / memcpy"),
            rows,
            note(session)));
  }

  private Measurement measure(
      Session session, MemorySegment in, MemorySegment out, MemorySegment agreement) {
    double operationNanos = warmUp(session, in, out, agreement);
    int batch = Math.clamp((long) (SAMPLE_NANOS / operationNanos), 1, MAX_BATCH);
    int samples =
        Math.clamp(
            (long) (plan.timePerSize().toNanos() / (operationNanos * batch)),
            MIN_SAMPLES,
            MAX_SAMPLES);
    Histogram histogram = new Histogram(3);
    session.barrier();
    for (int sample = 0; sample < samples; sample++) {
      long startNanos = nanoClock.getAsLong();
      repeat(session, in, out, batch);
      histogram.recordValue(nanoClock.getAsLong() - startNanos);
    }
    return new Measurement(
        in.byteSize(),
        samples,
        batch,
        (double) histogram.getValueAtPercentile(50) / batch,
        (double) histogram.getValueAtPercentile(99) / batch,
        copyNanos(session, in.byteSize(), agreement));
  }

  /** Doubles the number of operations until they take half the time of a measurement. */
  private double warmUp(
      Session session, MemorySegment in, MemorySegment out, MemorySegment agreement) {
    for (int operations = 1; ; operations *= 2) {
      session.barrier();
      long startNanos = nanoClock.getAsLong();
      repeat(session, in, out, operations);
      long slowest = agreeOnMax(session, agreement, nanoClock.getAsLong() - startNanos);
      if (slowest >= plan.timePerSize().toNanos() / 4 || operations >= 1 << 22) {
        return Math.max(1.0, (double) slowest / operations);
      }
    }
  }

  /** Rank 0 copies while the others wait, so that they do not take its processor. */
  private double copyNanos(Session session, long bytes, MemorySegment agreement) {
    long picos = session.rank() == 0 ? (long) (1e3 * copyBenchmark.medianNanos(bytes)) : 0;
    return Math.max(1, agreeOnMax(session, agreement, picos)) / 1e3;
  }

  private static void repeat(Session session, MemorySegment in, MemorySegment out, int times) {
    for (int i = 0; i < times; i++) {
      session.allSum(in, out, Dtype.FLOAT32);
    }
  }

  private static long agreeOnMax(Session session, MemorySegment agreement, long value) {
    agreement.setAtIndex(INT64, 0, value);
    session.allMax(agreement, agreement, Dtype.INT64);
    return agreement.getAtIndex(INT64, 0);
  }

  private static Check sumCheck(Session session, MemorySegment out) {
    long last = out.byteSize() / Float.BYTES - 1;
    return Check.exact(
        "last element of " + out.byteSize() + " bytes",
        out.getAtIndex(FLOAT32, last),
        session.size() * (session.size() + 1) / 2.0);
  }

  private static List<String> cells(Measurement measurement) {
    return List.of(
        Long.toString(measurement.bytes()),
        Long.toString((long) measurement.samples() * measurement.batch()),
        TimeFormat.nanos(measurement.medianNanos()),
        TimeFormat.nanos(measurement.p99Nanos()),
        TimeFormat.nanos(measurement.copyMedianNanos()),
        String.format(Locale.ROOT, "%.1f", measurement.copies()));
  }

  private String note(Session session) {
    String note = "memcpy: median of a copy of as many bytes within rank 0, same run";
    return session.size() > processors
        ? note + "; more ranks than processors, so ranks wait for each other's turn"
        : note;
  }
}
