package io.jaccl4j.cli.demo;

/**
 * Consecutive rows.
 *
 * @param first index of the first row
 * @param count number of rows
 */
public record RowRange(int first, int count) {

  /** The rows of one rank: blocks in rank order whose lengths differ by one at most. */
  public static RowRange ofRank(int rank, int size, int rows) {
    int each = rows / size;
    int longer = rows % size;
    return new RowRange(rank * each + Math.min(rank, longer), rank < longer ? each + 1 : each);
  }

  /** Index after the last row. */
  public int end() {
    return first + count;
  }
}
