package io.jaccl4j.cli.demo;

import io.jaccl4j.Dtype;
import io.jaccl4j.Session;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Data-parallel gradient descent: every rank has the gradient of its rows, allSum adds them. */
final class GradientDescent {
  private final Session session;
  private final MemorySegment sums;

  private GradientDescent(Session session, int columns) {
    this.session = session;
    this.sums = session.allocate((columns + 2L) * Double.BYTES);
  }

  /** The regression over the whole table, the same on every rank. */
  static Regression compute(Session session, Dataset shard, List<ColumnStatistics> statistics) {
    GradientDescent descent = new GradientDescent(session, shard.columns().size());
    return Regression.descend(shard, statistics, descent::addUp);
  }

  private double[] addUp(double[] local) {
    MemorySegment.copy(local, 0, sums, Elements.FLOAT64, 0, local.length);
    session.allSum(sums, sums, Dtype.FLOAT64);
    return sums.toArray(Elements.FLOAT64);
  }
}
