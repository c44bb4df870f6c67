package io.jaccl4j.cli.bench;

import io.jaccl4j.Session;
import io.jaccl4j.cli.bench.exchange.Exchange;
import io.jaccl4j.cli.job.Stages;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.LongSupplier;

/** The operation of a plan over one transport, on the thread that drives its links. */
final class MeasuredTransport implements Contender {
  private final Transport transport;
  private final BenchmarkPlan plan;
  private final int processors;
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
      Transport transport,
      BenchmarkPlan plan,
      int processors,
      Duration patience,
      LongSupplier nanoClock) {
    this.transport = transport;
    this.plan = plan;
    this.processors = processors;
    this.patience = patience;
    this.nanoClock = nanoClock;
    this.memory = new BenchmarkMemory(plan);
  }

  @Override
  public String label() {
    return transport.label();
  }

  @Override
  public void warmUp(long bytes) throws InterruptedException {
    onAll(
        bytes,
        session -> {
          timer(session).warmUp(exchange(session, bytes));
          return session.rank();
        });
  }

  @Override
  public Timing time(long bytes) throws InterruptedException {
    return onAll(bytes, session -> timer(session).time(exchange(session, bytes)));
  }

  private <T> T onAll(long bytes, Function<Session, T> body) throws InterruptedException {
    return Stages.await(
        transport.run(body),
        patience,
        String.format("%s of %d bytes over %s", plan.operation().label(), bytes, label()));
  }

  private OperationTimer timer(Session session) {
    if (timer == null) {
      timer =
          new OperationTimer(
              session, memory.agreement(session), plan.effort(), processors, nanoClock);
    }
    return timer;
  }

  private Exchange exchange(Session session, long bytes) {
    memory.buffers(session).clear(bytes);
    return Exchange.of(
        session, plan.operation(), plan.dtype(), memory.buffers(session), bytes, plan.inPlace());
  }
}
