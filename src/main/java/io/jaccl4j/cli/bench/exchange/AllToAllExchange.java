package io.jaccl4j.cli.bench.exchange;

import io.jaccl4j.Session;
import java.lang.foreign.MemorySegment;

/** all_to_all. */
final class AllToAllExchange implements Exchange {
  private final Session session;
  private final TestPattern pattern;
  private final MemorySegment in;
  private final MemorySegment out;

  AllToAllExchange(Session session, TestPattern pattern, Buffers buffers) {
    this.session = session;
    this.pattern = pattern;
    this.in = buffers.in();
    this.out = buffers.out();
  }

  @Override
  public void run() {
    session.allToAll(in, out);
  }

  @Override
  public void fill() {
    Buffers.spoil(out);
    pattern.fill(in, 0, session.rank());
  }

  @Override
  public long countWrong() {
    int ranks = session.size();
    long first = session.rank() * (out.byteSize() / ranks / pattern.dtype().bytes());
    long wrong = 0;
    for (int sender = 0; sender < ranks; sender++) {
      wrong += pattern.countWrong(Buffers.block(out, sender, ranks), first, sender);
    }
    return wrong;
  }
}
