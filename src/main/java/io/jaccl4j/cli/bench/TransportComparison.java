package io.jaccl4j.cli.bench;

import io.jaccl4j.Session;
import io.jaccl4j.cli.bench.exchange.Exchange;
import io.jaccl4j.cli.bench.sockets.RawSockets;
import io.jaccl4j.cli.bench.sockets.Wiring;
import io.jaccl4j.cli.job.RankJob;
import io.jaccl4j.cli.job.StepResult;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
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
  private final LongSupplier nanoClock;
  private final CollectiveBenchmark.Listener listener;

  /**
   * A comparison.
   *
   * @param openers of what is compared, the same on all ranks
   */
  public TransportComparison(
      BenchmarkPlan plan,
      List<Transport.Opener> openers,
      int processors,
      LongSupplier nanoClock,
      CollectiveBenchmark.Listener listener) {
    this.plan = plan;
    this.openers = List.copyOf(openers);
    this.processors = processors;
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
    List<MeasuredTransport> transports = new ArrayList<>();
    List<RawSockets> sockets = new ArrayList<>();
    try {
      for (Transport.Opener opener : openers) {
        transports.add(new MeasuredTransport(opener.open(session)));
      }
      for (Wiring wiring : Wiring.values()) {
        sockets.add(connect(session, wiring));
      }
      List<Contender> contenders = new ArrayList<>(transports);
      for (Wiring wiring : Wiring.values()) {
        contenders.add(new MeasuredSockets(session, wiring, sockets.get(wiring.ordinal())));
      }
      report.accept(
          ComparisonTable.transports(transports.stream().map(one -> one.transport).toList()));
      ComparisonTable table = new ComparisonTable(plan, session.size(), processors);
      for (long bytes : plan.sizesFor(session.size())) {
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
      transports.forEach(MeasuredTransport::close);
      sockets.forEach(RawSockets::close);
    }
  }

  private RawSockets connect(Session session, Wiring wiring) {
    return RawSockets.connect(
        session, wiring, mustMove(plan.maxBytes(), session.size()), isCrowded(session), nanoClock);
  }

  private boolean isCrowded(Session session) {
    return session.size() > processors;
  }

  /** Bytes that every rank must send and receive at least. */
  private long mustMove(long bytes, int ranks) {
    return (long) Math.ceil(bytes * plan.operation().busFactor(ranks));
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

  /** What is measured at every size. */
  private interface Contender {
    String label();

    Timing time(long bytes) throws InterruptedException;
  }

  private final class MeasuredTransport implements Contender {
    private final Transport transport;
    private final BenchmarkMemory memory = new BenchmarkMemory(plan);
    private OperationTimer timer;

    MeasuredTransport(Transport transport) {
      this.transport = transport;
    }

    @Override
    public String label() {
      return transport.label();
    }

    @Override
    public Timing time(long bytes) throws InterruptedException {
      try {
        return transport.run(session -> time(session, bytes)).toCompletableFuture().get();
      } catch (ExecutionException e) {
        throw e.getCause() instanceof RuntimeException cause
            ? cause
            : new IllegalStateException(e.getCause());
      }
    }

    private Timing time(Session session, long bytes) {
      if (timer == null) {
        timer = new OperationTimer(session, memory.agreement(session), plan.effort(), nanoClock);
      }
      Exchange exchange =
          Exchange.of(
              session,
              plan.operation(),
              plan.dtype(),
              memory.buffers(session),
              bytes,
              plan.inPlace());
      memory.buffers(session).clear(bytes);
      return timer.time(exchange);
    }

    void close() {
      transport.close();
    }
  }

  private final class MeasuredSockets implements Contender {
    private final Wiring wiring;
    private final RawSockets sockets;
    private final int ranks;
    private final OperationTimer timer;

    MeasuredSockets(Session session, Wiring wiring, RawSockets sockets) {
      this.wiring = wiring;
      this.sockets = sockets;
      this.ranks = session.size();
      this.timer =
          new OperationTimer(
              session,
              new Agreement(session, session.allocate(Agreement.BYTES)),
              plan.effort(),
              nanoClock);
    }

    @Override
    public String label() {
      return wiring.label();
    }

    @Override
    public Timing time(long bytes) {
      return timer.time(
          new Exchange() {
            @Override
            public void run() {
              sockets.exchange(mustMove(bytes, ranks));
            }

            @Override
            public void fill() {}

            @Override
            public long countWrong() {
              return 0;
            }
          });
    }
  }
}
