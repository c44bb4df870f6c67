package io.jaccl4j.cli.bench.exchange;

import io.jaccl4j.Session;
import java.lang.foreign.MemorySegment;

/** all_gather. */
final class GatherExchange implements Exchange {
  private final Session session;
  private final TestPattern pattern;
  private final MemorySegment in;
  private final MemorySegment out;

  GatherExchange(Session session, TestPattern pattern, Buffers buffers, boolean inPlace) {
    this.session = session;
    this.pattern = pattern;
    this.out = buffers.out();
    this.in = Buffers.block(inPlace ? buffers.out() : buffers.in(), session.rank(), session.size());
  }

  @Override
  public void run() {
    session.allGather(in, out);
  }

  @Override
  public void fill() {
    Buffers.spoil(out);
    pattern.fill(in, 0, session.rank());
  }

  @Override
  public long countWrong() {
    long wrong = 0;
    for (int rank = 0; rank < session.size(); rank++) {
      wrong += pattern.countWrong(Buffers.block(out, rank, session.size()), 0, rank);
    }
    return wrong;
  }
}
