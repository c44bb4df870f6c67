package io.jaccl4j.cli.bench.exchange;

import io.jaccl4j.Session;

/** barrier, which has no data. */
final class BarrierExchange implements Exchange {
  private final Session session;

  BarrierExchange(Session session) {
    this.session = session;
  }

  @Override
  public void run() {
    session.barrier();
  }

  @Override
  public void fill() {}

  @Override
  public long countWrong() {
    return 0;
  }
}
