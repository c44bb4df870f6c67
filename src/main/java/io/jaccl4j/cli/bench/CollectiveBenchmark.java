package io.jaccl4j.cli.bench;

import io.jaccl4j.Session;
import io.jaccl4j.cli.bench.exchange.Buffers;
import io.jaccl4j.cli.bench.exchange.Exchange;
import io.jaccl4j.cli.job.Check;
import io.jaccl4j.cli.job.RankJob;
import io.jaccl4j.cli.job.StepResult;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Measures one operation at all sizes of a plan, in one mode. */
public final class CollectiveBenchmark implements RankJob {

  /** Told what goes on, between two sizes, on the thread of the job. */
  public interface Listener {

    /** A size begins. */
    void measuring(String what);

    /** A size is done; all ranks are told the same. */
    void measured(Measurement measurement);
  }

  private final BenchmarkPlan plan;
  private final String transport;
  private final Mode mode;
  private final BenchmarkMemory memory;
  private final int processors;
  private final LongSupplier nanoClock;
  private final Path sharedDirectory;
  private final Listener listener;

  /**
   * A benchmark.
   *
   * @param transport what the ranks are linked by, for results
   * @param sharedDirectory where ranks of one machine may share a file in memory, for the raw round
   *     trip that latencies are compared with
   */
  public CollectiveBenchmark(
      BenchmarkPlan plan,
      String transport,
      Mode mode,
      BenchmarkMemory memory,
      int processors,
      LongSupplier nanoClock,
      Path sharedDirectory,
      Listener listener) {
    this.plan = plan;
    this.transport = transport;
    this.mode = mode;
    this.memory = memory;
    this.processors = processors;
    this.nanoClock = nanoClock;
    this.sharedDirectory = sharedDirectory;
    this.listener = listener;
  }

  @Override
  public Place place() {
    return mode.place();
  }

  @Override
  public void run(Session session, Consumer<StepResult> report) {
    MeasurementTable table = new MeasurementTable(plan, mode, session.size(), processors);
    OperationTimer timer =
        new OperationTimer(
            session, memory.agreement(session), plan.effort(), processors, nanoClock);
    List<StepResult.Row> rows = new ArrayList<>();
    List<Long> sizes = plan.sizesFor(session.size());
    warmUp(session, sizes, timer);
    for (long bytes : sizes) {
      listener.measuring(
          String.format(
              "measuring %s of %d bytes (%s, %d of %d)",
              plan.operation().label(), bytes, mode.label(), rows.size() + 1, sizes.size()));
      rows.add(measure(session, bytes, timer, table));
    }
    report.accept(table.of(rows, roundTripNanos(session)));
  }

  /**
   * Each size can take another way through the code, and with every processor taken by a rank the
   * compiler needs long for it: so all ways are gone before the first size counts.
   */
  private void warmUp(Session session, List<Long> sizes, OperationTimer timer) {
    for (long bytes : sizes) {
      listener.measuring(
          String.format("warming up with %s of %d bytes", plan.operation().label(), bytes));
      Exchange exchange = exchange(session, bytes);
      exchange.fill();
      timer.warmUp(exchange);
    }
  }

  private Exchange exchange(Session session, long bytes) {
    return Exchange.of(
        session, plan.operation(), plan.dtype(), memory.buffers(session), bytes, plan.inPlace());
  }

  private OptionalDouble roundTripNanos(Session session) {
    return new RoundTripBenchmark(session, memory.agreement(session), nanoClock, sharedDirectory)
        .medianNanos();
  }

  private StepResult.Row measure(
      Session session, long bytes, OperationTimer timer, MeasurementTable table) {
    Buffers buffers = memory.buffers(session);
    Agreement agreement = memory.agreement(session);
    Exchange exchange = exchange(session, bytes);
    if (plan.inPlace()) {
      // What is added to itself all the time must not run into infinities and NaNs.
      buffers.clear(bytes);
    } else {
      exchange.fill();
    }
    Timing timing = timer.time(exchange);
    List<Check> checks = new ArrayList<>();
    long wrongElements = Measurement.NOT_CHECKED;
    if (plan.check()) {
      long wrongHere = countWrong(session, exchange);
      checks.add(Check.exact("wrong elements of " + bytes + " bytes", wrongHere, 0));
      wrongElements = agreement.sum(wrongHere);
    }
    Measurement measurement =
        new Measurement(
            plan.operation(),
            plan.dtype(),
            transport,
            mode,
            session.size(),
            bytes,
            plan.operation().count(bytes, plan.dtype(), session.size()),
            timing,
            wrongElements,
            plan.operation().hasData()
                ? copyNanos(session, agreement, bytes)
                : Measurement.NOT_MEASURED);
    listener.measured(measurement);
    return new StepResult.Row(table.cells(measurement), checks);
  }

  /** One more operation, on fresh data. */
  private static long countWrong(Session session, Exchange exchange) {
    exchange.fill();
    session.barrier();
    exchange.run();
    return exchange.countWrong();
  }

  /** Rank 0 copies while the others wait, so that they do not take its processor. */
  private double copyNanos(Session session, Agreement agreement, long bytes) {
    double nanos = session.rank() == 0 ? new CopyBenchmark(nanoClock).medianNanos(bytes) : 0;
    return Math.max(1e-3, agreement.maxNanos(nanos));
  }
}
