package io.jaccl4j.cli.bench.exchange;

import io.jaccl4j.ReduceOp;
import io.jaccl4j.Session;
import java.lang.foreign.MemorySegment;

/** all_sum, all_max and all_min. */
final class ReduceExchange implements Exchange {
  private final Session session;
  private final ReduceOp op;
  private final TestPattern pattern;
  private final MemorySegment in;
  private final MemorySegment out;

  ReduceExchange(
      Session session, ReduceOp op, TestPattern pattern, Buffers buffers, boolean inPlace) {
    this.session = session;
    this.op = op;
    this.pattern = pattern;
    this.out = buffers.out();
    this.in = inPlace ? out : buffers.in();
  }

  @Override
  public void run() {
    switch (op) {
      case SUM -> session.allSum(in, out, pattern.dtype());
      case MAX -> session.allMax(in, out, pattern.dtype());
      case MIN -> session.allMin(in, out, pattern.dtype());
      case PRODUCT -> throw new IllegalStateException("products are not measured");
    }
  }

  @Override
  public void fill() {
    Buffers.spoil(out);
    pattern.fill(in, 0, session.rank());
  }

  @Override
  public long countWrong() {
    return pattern.countWrongReduced(out, 0, op);
  }
}
