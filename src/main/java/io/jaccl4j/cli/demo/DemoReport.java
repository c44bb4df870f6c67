package io.jaccl4j.cli.demo;

import io.jaccl4j.cli.job.Check;
import io.jaccl4j.cli.job.Quantity;
import io.jaccl4j.cli.job.StepResult;
import io.jaccl4j.cli.job.StepResult.Row;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;

/** Puts the group's results beside those of one process, as tables. */
final class DemoReport {
  /**
   * Relative difference up to which float64 results count as equal: the order of the additions
   * differs, nothing else.
   */
  private static final double TOLERANCE = 1e-9;

  private final SingleProcess expected;

  DemoReport(SingleProcess expected) {
    this.expected = expected;
  }

  StepResult split(long[] rowCounts) {
    long[] want = expected.rowCounts(rowCounts.length);
    List<Row> rows = new ArrayList<>();
    long first = 0;
    for (int rank = 0; rank < rowCounts.length; rank++) {
      rows.add(
          new Row(
              List.of(
                  Integer.toString(rank),
                  Long.toString(rowCounts[rank]),
                  first + " to " + (first + rowCounts[rank] - 1)),
              List.of(Check.exact("rows of rank " + rank, rowCounts[rank], want[rank]))));
      first += rowCounts[rank];
    }
    return new StepResult(
        "Data split: " + LongStream.of(want).sum() + " rows",
        List.of("rank", "count", "rows"),
        rows,
        "");
  }

  StepResult statistics(int size, List<String> columns, List<ColumnStatistics> statistics) {
    List<Row> rows = new ArrayList<>();
    for (int column = 0; column < columns.size(); column++) {
      ColumnStatistics got = statistics.get(column);
      ColumnStatistics want = expected.statistics().get(column);
      String name = columns.get(column);
      List<Check> checks =
          List.of(
              Check.exact(name + " count", got.count(), want.count()),
              Check.close(name + " mean", got.mean(), want.mean(), TOLERANCE),
              Check.close(name + " variance", got.variance(), want.variance(), TOLERANCE),
              Check.exact(name + " min", got.min(), want.min()),
              Check.exact(name + " max", got.max(), want.max()));
      rows.add(new Row(statisticsCells(name, Quantity.of(size, "rank"), got, ""), List.of()));
      rows.add(new Row(statisticsCells("", "1 process", want, difference(got, want)), checks));
    }
    return new StepResult(
        "Statistics of the columns",
        List.of("column", "from", "count", "mean", "variance", "min", "max", "difference"),
        rows,
        "difference: the largest relative one of mean and variance; count, min and max are exact");
  }

  StepResult descent(Regression got, List<String> columns) {
    Regression want = expected.regression();
    List<Row> rows = new ArrayList<>();
    for (int step = 0; step < Regression.STEPS; step++) {
      double gotLoss = got.losses()[step];
      double wantLoss = want.losses()[step];
      List<Check> checks = new ArrayList<>();
      checks.add(Check.close("loss before step " + (step + 1), gotLoss, wantLoss, TOLERANCE));
      if (step == Regression.STEPS - 1) {
        for (int weight = 0; weight < want.weights().length - 1; weight++) {
          checks.add(
              Check.close(
                  "weight of " + columns.get(weight),
                  got.weights()[weight],
                  want.weights()[weight],
                  TOLERANCE));
        }
      }
      rows.add(
          new Row(
              List.of(
                  Integer.toString(step + 1),
                  decimal("%.12f", gotLoss),
                  decimal("%.12f", wantLoss),
                  decimal("%.1e", Check.relativeDifference(gotLoss, wantLoss))),
              checks));
    }
    return new StepResult(
        "Gradient descent: " + columns.getLast() + " explained by the other columns",
        List.of("step", "loss", "single-process loss", "difference"),
        rows,
        weightsNote(got, columns));
  }

  StepResult otherCollectives(
      int rank, long[] rowCounts, float[] histogramBlock, long previousChecksum, String barrier) {
    int size = rowCounts.length;
    int previous = (rank + size - 1) % size;
    int bins = ShardExchange.BINS_PER_RANK * size;
    long[] wantCounts = expected.rowCounts(size);
    long[] wantBins = expected.histogram(bins);
    List<Check> gatherChecks = new ArrayList<>();
    for (int peer = 0; peer < size; peer++) {
      gatherChecks.add(Check.exact("row count of rank " + peer, rowCounts[peer], wantCounts[peer]));
    }
    List<Check> histogramChecks = new ArrayList<>();
    for (int bin = 0; bin < histogramBlock.length; bin++) {
      int index = rank * histogramBlock.length + bin;
      histogramChecks.add(
          Check.exact("histogram bin " + index, histogramBlock[bin], (double) wantBins[index]));
    }
    Check ringCheck =
        Check.exact(
            "checksum of rank " + previous, previousChecksum, expected.checksum(previous, size));
    return new StepResult(
        "The other collectives, as rank " + rank + " sees them",
        List.of("operation", "type", "moved", "result"),
        List.of(
            new Row(
                List.of("allGather", "int64", "one row count per rank", joined(rowCounts)),
                gatherChecks),
            new Row(
                List.of(
                    "sumScatter",
                    "float32",
                    "histogram of " + bins + " bins",
                    "own bins " + joined(histogramBlock)),
                histogramChecks),
            new Row(
                List.of(
                    "send, recv",
                    "int64",
                    "checksum of a shard to the next rank",
                    String.format("%016x from rank %d", previousChecksum, previous)),
                List.of(ringCheck)),
            new Row(List.of("barrier", "-", "nothing", "returned after " + barrier), List.of())),
        "");
  }

  private static List<String> statisticsCells(
      String name, String from, ColumnStatistics column, String difference) {
    return List.of(
        name,
        from,
        Long.toString(column.count()),
        decimal("%.6f", column.mean()),
        decimal("%.6f", column.variance()),
        decimal("%.3f", column.min()),
        decimal("%.3f", column.max()),
        difference);
  }

  private static String difference(ColumnStatistics got, ColumnStatistics want) {
    return decimal(
        "%.1e",
        Math.max(
            Check.relativeDifference(got.mean(), want.mean()),
            Check.relativeDifference(got.variance(), want.variance())));
  }

  private static String weightsNote(Regression regression, List<String> columns) {
    double[] weights = regression.weights();
    List<String> parts = new ArrayList<>();
    for (int weight = 0; weight < weights.length - 1; weight++) {
      parts.add(columns.get(weight) + " " + decimal("%.4f", weights[weight]));
    }
    return "weights: " + String.join(", ", parts);
  }

  private static String joined(long[] values) {
    return Arrays.stream(values).mapToObj(Long::toString).collect(Collectors.joining(" "));
  }

  private static String joined(float[] values) {
    double[] wide = new double[values.length];
    Arrays.setAll(wide, index -> values[index]);
    return DoubleStream.of(wide)
        .mapToObj(value -> decimal("%.0f", value))
        .collect(Collectors.joining(" "));
  }

  private static String decimal(String pattern, double value) {
    return String.format(Locale.ROOT, pattern, value);
  }
}
