package io.jaccl4j.cli.bench;

import io.jaccl4j.Session;
import io.jaccl4j.cli.bench.exchange.Exchange;
import io.jaccl4j.cli.bench.sockets.RawSockets;
import io.jaccl4j.cli.bench.sockets.Wiring;
import java.util.function.LongSupplier;

/** Bare sockets that move the bytes which any algorithm of a plan's operation must move. */
final class MeasuredSockets implements Contender {
  private final Wiring wiring;
  private final RawSockets sockets;
  private final BenchmarkPlan plan;
  private final int ranks;
  private final OperationTimer timer;

  MeasuredSockets(
      Session session,
      Wiring wiring,
      RawSockets sockets,
      BenchmarkPlan plan,
      int processors,
      LongSupplier nanoClock) {
    this.wiring = wiring;
    this.sockets = sockets;
    this.plan = plan;
    this.ranks = session.size();
    this.timer =
        new OperationTimer(
            session,
            new Agreement(session, session.allocate(Agreement.BYTES)),
            plan.effort(),
            processors,
            nanoClock);
  }

  /** Bytes that every rank must send and receive at least. */
  static long bytesToMove(BenchmarkPlan plan, long bytes, int ranks) {
    return (long) Math.ceil(bytes * plan.operation().busFactor(ranks));
  }

  @Override
  public String label() {
    return wiring.label();
  }

  @Override
  public void warmUp(long bytes) {
    timer.warmUp(exchange(bytes));
  }

  @Override
  public Timing time(long bytes) {
    return timer.time(exchange(bytes));
  }

  private Exchange exchange(long bytes) {
    long moved = bytesToMove(plan, bytes, ranks);
    return new Exchange() {
      @Override
      public void run() {
        sockets.exchange(moved);
      }

      @Override
      public void fill() {}

      @Override
      public long countWrong() {
        return 0;
      }
    };
  }
}
