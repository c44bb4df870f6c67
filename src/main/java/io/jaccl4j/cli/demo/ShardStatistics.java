package io.jaccl4j.cli.demo;

import io.jaccl4j.Dtype;
import io.jaccl4j.Session;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Statistics of every column of a table that is split over the ranks: each rank reduces its own
 * rows, four all-reduces combine them.
 */
final class ShardStatistics {

  private ShardStatistics() {}

  /** Statistics of the whole table, the same on every rank. */
  static List<ColumnStatistics> compute(Session session, Dataset shard) {
    int columns = shard.columns().size();
    MemorySegment count = session.allocate(Long.BYTES);
    MemorySegment sums = session.allocate(2L * columns * Double.BYTES);
    MemorySegment minima = session.allocate((long) columns * Double.BYTES);
    MemorySegment maxima = session.allocate((long) columns * Double.BYTES);

    count.setAtIndex(Elements.INT64, 0, shard.rowCount());
    for (int column = 0; column < columns; column++) {
      double sum = 0;
      double sumOfSquares = 0;
      double min = Double.POSITIVE_INFINITY;
      double max = Double.NEGATIVE_INFINITY;
      for (int row = 0; row < shard.rowCount(); row++) {
        double value = shard.value(row, column);
        sum += value;
        sumOfSquares += value * value;
        min = Math.min(min, value);
        max = Math.max(max, value);
      }
      sums.setAtIndex(Elements.FLOAT64, column, sum);
      sums.setAtIndex(Elements.FLOAT64, columns + column, sumOfSquares);
      minima.setAtIndex(Elements.FLOAT64, column, min);
      maxima.setAtIndex(Elements.FLOAT64, column, max);
    }

    session.allSum(count, count, Dtype.INT64);
    session.allSum(sums, sums, Dtype.FLOAT64);
    session.allMin(minima, minima, Dtype.FLOAT64);
    session.allMax(maxima, maxima, Dtype.FLOAT64);

    long rows = count.getAtIndex(Elements.INT64, 0);
    List<ColumnStatistics> statistics = new ArrayList<>(columns);
    for (int column = 0; column < columns; column++) {
      double mean = sums.getAtIndex(Elements.FLOAT64, column) / rows;
      double meanOfSquares = sums.getAtIndex(Elements.FLOAT64, columns + column) / rows;
      statistics.add(
          new ColumnStatistics(
              rows,
              mean,
              meanOfSquares - mean * mean,
              minima.getAtIndex(Elements.FLOAT64, column),
              maxima.getAtIndex(Elements.FLOAT64, column)));
    }
    return statistics;
  }
}
