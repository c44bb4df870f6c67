package io.jaccl4j.cli.bench;

import io.jaccl4j.Session;
import io.jaccl4j.cli.bench.sockets.RawSockets;
import io.jaccl4j.cli.bench.sockets.Wiring;
import io.jaccl4j.cli.job.RankJob;
import io.jaccl4j.cli.job.StepResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.HdrHistogram.Histogram;

/**
 * Measures one operation over several transports and over bare sockets, size by size, so that what
 * stands in one row was measured within the same moments. Bare sockets move the bytes that any
 * algorithm must move: size times the factor of the bus bandwidth, each way.
 */
public final class TransportComparison implements RankJob {
  private static final int ROUND_TRIP_WARM_UP = 20_000;
  private static final int ROUND_TRIP_SAMPLES = 2_000;
  private static final int ROUND_TRIP_BATCH = 8;

  /** What the smallest operations move. */
  private static final int ROUND_TRIP_BYTES = 4;

  private final BenchmarkPlan plan;
  private final List<Transport.Opener> openers;
  private final int processors;
  private final Duration patience;
  private final LongSupplier nanoClock;
  private final CollectiveBenchmark.Listener listener;

  /**
   * A comparison.
   *
   * @param openers of what is compared, the same on all ranks
   * @param patience how long one size over one transport may take
   */
  public TransportComparison(
      BenchmarkPlan plan,
      List<Transport.Opener> openers,
      int processors,
      Duration patience,
      LongSupplier nanoClock,
      CollectiveBenchmark.Listener listener) {
    this.plan = plan;
    this.openers = List.copyOf(openers);
    this.processors = processors;
    this.patience = patience;
    this.nanoClock = nanoClock;
    this.listener = listener;
  }

  /** Here, because it measures on the threads of several groups in turn. */
  @Override
  public Place place() {
    return Place.OWN_THREAD;
  }

  @Override
  public void run(Session session, Consumer<StepResult> report) {
    try {
      compare(session, report);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("the comparison was interrupted", e);
    }
  }

  private void compare(Session session, Consumer<StepResult> report) throws InterruptedException {
    List<Transport> transports = new ArrayList<>();
    List<RawSockets> sockets = new ArrayList<>();
    try {
      List<Contender> contenders = new ArrayList<>();
      for (Transport.Opener opener : openers) {
        Transport transport = opener.open(session);
        transports.add(transport);
        contenders.add(new MeasuredTransport(transport, plan, processors, patience, nanoClock));
      }
      for (Wiring wiring : Wiring.values()) {
        RawSockets bare = connect(session, wiring);
        sockets.add(bare);
        contenders.add(new MeasuredSockets(session, wiring, bare, plan, processors, nanoClock));
      }
      report.accept(ComparisonTable.transports(transports));
      ComparisonTable table = new ComparisonTable(plan, session.size(), processors, transports);
      List<Long> sizes = plan.sizesFor(session.size());
      for (Contender contender : contenders) {
        // All ways through the code, for the compiler, before the first size counts.
        for (long bytes : sizes) {
          listener.measuring(
              String.format(
                  "warming up with %s of %d bytes over %s",
                  plan.operation().label(), bytes, contender.label()));
          contender.warmUp(bytes);
        }
      }
      for (long bytes : sizes) {
        List<Measurement> row = new ArrayList<>();
        for (Contender contender : contenders) {
          listener.measuring(
              String.format(
                  "measuring %s of %d bytes over %s",
                  plan.operation().label(), bytes, contender.label()));
          Measurement measurement = measure(session, contender, bytes);
          listener.measured(measurement);
          row.add(measurement);
        }
        table.add(bytes, row);
      }
      report.accept(table.result(roundTripNanos(session, sockets.getFirst())));
      session.barrier();
    } finally {
      transports.forEach(Transport::close);
      sockets.forEach(RawSockets::close);
    }
  }

  private RawSockets connect(Session session, Wiring wiring) {
    return RawSockets.connect(
        session,
        wiring,
        MeasuredSockets.bytesToMove(plan, plan.maxBytes(), session.size()),
        session.size() > processors,
        nanoClock);
  }

  private Measurement measure(Session session, Contender contender, long bytes)
      throws InterruptedException {
    Timing timing = contender.time(bytes);
    return new Measurement(
        plan.operation(),
        plan.dtype(),
        contender.label(),
        Mode.SESSION,
        session.size(),
        bytes,
        plan.operation().count(bytes, plan.dtype(), session.size()),
        timing,
        Measurement.NOT_CHECKED,
        Measurement.NOT_MEASURED);
  }

  /** Of ranks 0 and 1, while the others wait. */
  private double roundTripNanos(Session session, RawSockets sockets) {
    session.barrier();
    double nanos = session.rank() < 2 ? medianRoundTripNanos(sockets) : 0;
    return new Agreement(session, session.allocate(Agreement.BYTES)).maxNanos(nanos);
  }

  private double medianRoundTripNanos(RawSockets sockets) {
    Histogram histogram = new Histogram(3);
    for (int i = 0; i < ROUND_TRIP_WARM_UP; i++) {
      sockets.roundTrip(ROUND_TRIP_BYTES);
    }
    for (int sample = 0; sample < ROUND_TRIP_SAMPLES; sample++) {
      long startNanos = nanoClock.getAsLong();
      for (int i = 0; i < ROUND_TRIP_BATCH; i++) {
        sockets.roundTrip(ROUND_TRIP_BYTES);
      }
      histogram.recordValue(Math.max(0, nanoClock.getAsLong() - startNanos));
    }
    return histogram.getValueAtPercentile(50) / (double) ROUND_TRIP_BATCH;
  }
}
