package io.jaccl4j.cli.demo;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;

/** What the ranks' results are checked against: the whole table in one process, no group. */
final class SingleProcess {
  private final Dataset table;
  private final List<ColumnStatistics> statistics;
  private final Regression regression;

  SingleProcess(Dataset table) {
    this.table = table;
    this.statistics = statistics(table);
    this.regression = Regression.descend(table, statistics, UnaryOperator.identity());
  }

  List<ColumnStatistics> statistics() {
    return statistics;
  }

  Regression regression() {
    return regression;
  }

  /** How many of the rows each rank has. */
  long[] rowCounts(int size) {
    long[] counts = new long[size];
    Arrays.setAll(counts, rank -> RowRange.ofRank(rank, size, table.rowCount()).count());
    return counts;
  }

  /** Values of the last column per bin. */
  long[] histogram(int bins) {
    return Histogram.of(table, new RowRange(0, table.rowCount()), statistics.getLast(), bins);
  }

  /** Checksum of the rows of one rank. */
  long checksum(int rank, int size) {
    return Checksum.of(table, RowRange.ofRank(rank, size, table.rowCount()));
  }

  /** Two passes, unlike the ranks' sums of squares: an error of the one is not in the other. */
  private static List<ColumnStatistics> statistics(Dataset table) {
    int rows = table.rowCount();
    List<ColumnStatistics> statistics = new ArrayList<>();
    for (int column = 0; column < table.columns().size(); column++) {
      double[] values = new double[rows];
      for (int row = 0; row < rows; row++) {
        values[row] = table.value(row, column);
      }
      double mean = Arrays.stream(values).sum() / rows;
      double variance =
          Arrays.stream(values).map(value -> (value - mean) * (value - mean)).sum() / rows;
      statistics.add(
          new ColumnStatistics(
              rows,
              mean,
              variance,
              Arrays.stream(values).min().orElseThrow(),
              Arrays.stream(values).max().orElseThrow()));
    }
    return statistics;
  }
}
