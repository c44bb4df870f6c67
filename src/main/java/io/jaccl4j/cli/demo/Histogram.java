package io.jaccl4j.cli.demo;

/** How the values of the last column are spread between its minimum and maximum. */
final class Histogram {

  private Histogram() {}

  /** Values per bin, for bins of equal width. */
  static long[] of(Dataset table, RowRange rows, ColumnStatistics column, int bins) {
    long[] counts = new long[bins];
    int index = table.columns().size() - 1;
    double width = (column.max() - column.min()) / bins;
    for (int row = rows.first(); row < rows.end(); row++) {
      int bin = (int) ((table.value(row, index) - column.min()) / width);
      counts[Math.min(bin, bins - 1)]++;
    }
    return counts;
  }
}
