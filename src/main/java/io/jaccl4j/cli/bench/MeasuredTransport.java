package io.jaccl4j.cli.bench;

import io.jaccl4j.Session;
import io.jaccl4j.cli.bench.exchange.Exchange;
import io.jaccl4j.cli.job.Stages;
import java.time.Duration;
import java.util.function.LongSupplier;

/** The operation of a plan over one transport, on the thread that drives its links. */
final class MeasuredTransport implements Contender {
  private final Transport transport;
  private final BenchmarkPlan plan;
  private final Duration patience;
  private final LongSupplier nanoClock;
  private final BenchmarkMemory memory;
  private OperationTimer timer;

  /**
   * A transport to measure.
   *
   * @param patience how long one size may take
   */
  MeasuredTransport(
      Transport transport, BenchmarkPlan plan, Duration patience, LongSupplier nanoClock) {
    this.transport = transport;
    this.plan = plan;
    this.patience = patience;
    this.nanoClock = nanoClock;
    this.memory = new BenchmarkMemory(plan);
  }

  @Override
  public String label() {
    return transport.label();
  }

  @Override
  public Timing time(long bytes) throws InterruptedException {
    return Stages.await(
        transport.run(session -> time(session, bytes)),
        patience,
        String.format("%s of %d bytes over %s", plan.operation().label(), bytes, label()));
  }

  private Timing time(Session session, long bytes) {
    if (timer == null) {
      timer = new OperationTimer(session, memory.agreement(session), plan.effort(), nanoClock);
    }
    memory.buffers(session).clear(bytes);
    return timer.time(
        Exchange.of(
            session,
            plan.operation(),
            plan.dtype(),
            memory.buffers(session),
            bytes,
            plan.inPlace()));
  }
}
