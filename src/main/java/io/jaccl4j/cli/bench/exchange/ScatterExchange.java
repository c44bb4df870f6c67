package io.jaccl4j.cli.bench.exchange;

import io.jaccl4j.ReduceOp;
import io.jaccl4j.Session;
import java.lang.foreign.MemorySegment;

/** sum_scatter. */
final class ScatterExchange implements Exchange {
  private final Session session;
  private final TestPattern pattern;
  private final MemorySegment in;
  private final MemorySegment out;

  ScatterExchange(Session session, TestPattern pattern, Buffers buffers, boolean inPlace) {
    this.session = session;
    this.pattern = pattern;
    this.in = buffers.in();
    this.out =
        Buffers.block(inPlace ? buffers.in() : buffers.out(), session.rank(), session.size());
  }

  @Override
  public void run() {
    session.sumScatter(in, out, pattern.dtype());
  }

  @Override
  public void fill() {
    Buffers.spoil(out);
    pattern.fill(in, 0, session.rank());
  }

  @Override
  public long countWrong() {
    long blockElements = out.byteSize() / pattern.dtype().bytes();
    return pattern.countWrongReduced(out, session.rank() * blockElements, ReduceOp.SUM);
  }
}
