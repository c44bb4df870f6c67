package io.jaccl4j.cli.demo;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Rows of the sample table, all of them or those of one rank. Immutable. */
public final class Dataset {
  private static final String RESOURCE = "consumption.csv";

  private final List<String> columns;
  private final double[][] rows;

  private Dataset(List<String> columns, double[][] rows) {
    this.columns = columns;
    this.rows = rows;
  }

  /** The whole table. */
  public static Dataset readAll() {
    return readRows(new RowRange(0, countRows()));
  }

  /** The rows of one rank; the others are not parsed. */
  public static Dataset readShard(int rank, int size) {
    return readRows(RowRange.ofRank(rank, size, countRows()));
  }

  /** Number of rows of the whole table. */
  public static int countRows() {
    try (BufferedReader reader = open()) {
      readHeader(reader);
      return Math.toIntExact(reader.lines().count());
    } catch (IOException e) {
      throw new UncheckedIOException("sample data " + RESOURCE, e);
    }
  }

  /** Names of the columns; the last one is what the others explain. */
  public List<String> columns() {
    return columns;
  }

  /** Number of rows. */
  public int rowCount() {
    return rows.length;
  }

  /** One number. */
  public double value(int row, int column) {
    return rows[row][column];
  }

  private static Dataset readRows(RowRange range) {
    try (BufferedReader reader = open()) {
      List<String> columns = List.of(readHeader(reader).split(","));
      List<double[]> rows = new ArrayList<>(range.count());
      for (int row = 0; row < range.end(); row++) {
        String line = reader.readLine();
        if (row >= range.first()) {
          rows.add(parse(line, columns.size()));
        }
      }
      return new Dataset(columns, rows.toArray(double[][]::new));
    } catch (IOException e) {
      throw new UncheckedIOException("sample data " + RESOURCE, e);
    }
  }

  private static double[] parse(String line, int columns) {
    String[] cells = line.split(",");
    if (cells.length != columns) {
      throw new IllegalStateException(
          "sample data " + RESOURCE + ": got " + cells.length + " cells, want " + columns);
    }
    double[] row = new double[columns];
    for (int column = 0; column < columns; column++) {
      row[column] = Double.parseDouble(cells[column]);
    }
    return row;
  }

  /** Skips the comment lines and the line of column names, which it returns. */
  private static String readHeader(BufferedReader reader) throws IOException {
    String line = reader.readLine();
    while (line != null && line.startsWith("#")) {
      line = reader.readLine();
    }
    return Objects.requireNonNull(line, "sample data " + RESOURCE + " has no column names");
  }

  private static BufferedReader open() {
    return new BufferedReader(
        new InputStreamReader(
            Objects.requireNonNull(
                Dataset.class.getResourceAsStream(RESOURCE), "no sample data " + RESOURCE),
            StandardCharsets.UTF_8));
  }
}
