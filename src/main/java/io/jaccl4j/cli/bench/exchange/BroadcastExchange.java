package io.jaccl4j.cli.bench.exchange;

import io.jaccl4j.Session;
import java.lang.foreign.MemorySegment;

/** broadcast from rank 0. */
final class BroadcastExchange implements Exchange {
  private static final int ROOT = 0;

  private final Session session;
  private final TestPattern pattern;
  private final MemorySegment data;

  BroadcastExchange(Session session, TestPattern pattern, Buffers buffers) {
    this.session = session;
    this.pattern = pattern;
    this.data = buffers.out();
  }

  @Override
  public void run() {
    session.broadcast(data, ROOT);
  }

  @Override
  public void fill() {
    if (session.rank() == ROOT) {
      pattern.fill(data, 0, ROOT);
    } else {
      Buffers.spoil(data);
    }
  }

  @Override
  public long countWrong() {
    return pattern.countWrong(data, 0, ROOT);
  }
}
