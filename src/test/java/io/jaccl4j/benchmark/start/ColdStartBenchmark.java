package io.jaccl4j.benchmark.start;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;

/** Measures every way some times and prints medians, ratios and phases. */
public final class ColdStartBenchmark {
  private static final int SIZE = 4;
  private static final int ROUNDS = 7;
  private static final String ROW = "%-24s %7s %17s %7s";

  private ColdStartBenchmark() {}

  /** Number of rounds, if given. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    int rounds = arguments.length == 0 ? ROUNDS : Integer.parseInt(arguments[0]);
    Map<StartWay, List<Map<StartPhase, Long>>> results = new EnumMap<>(StartWay.class);
    Random random = new Random(1);
    for (int round = 0; round < rounds; round++) {
      List<StartWay> order = new ArrayList<>(List.of(StartWay.values()));
      Collections.shuffle(order, random);
      for (StartWay way : order) {
        results.computeIfAbsent(way, key -> new ArrayList<>()).add(ColdStart.run(way, SIZE));
      }
    }
    System.out.println(table(rounds, results));
  }

  private static String table(int rounds, Map<StartWay, List<Map<StartPhase, Long>>> results) {
    StringBuilder text = new StringBuilder();
    text.append(
        "%d cold processes, %d processors, %d rounds: seconds from the first start until the last is there%n"
            .formatted(SIZE, Runtime.getRuntime().availableProcessors(), rounds));
    text.append(ROW.formatted("", "median", "least to most", "ratio"));
    for (StartPhase phase : StartPhase.values()) {
      text.append(" %8s".formatted(phase.column()));
    }
    text.append('\n');
    double bareNanos = median(totals(StartWay.PEKKO_FIXED, results.get(StartWay.PEKKO_FIXED)));
    results.forEach((way, rows) -> text.append(row(way, rows, bareNanos)).append('\n'));
    text.append(
        "The columns to the right are medians of what it took from the phase before: "
            + "what a way has no column for, it does not do.");
    return text.toString();
  }

  private static String row(StartWay way, List<Map<StartPhase, Long>> rows, double bareNanos) {
    List<Long> totals = totals(way, rows);
    StringBuilder text =
        new StringBuilder(
            ROW.formatted(
                way.title(),
                seconds(median(totals)),
                seconds(Collections.min(totals)) + " to " + seconds(Collections.max(totals)),
                String.format(Locale.ROOT, "%.2f", median(totals) / bareNanos)));
    for (StartPhase phase : StartPhase.values()) {
      text.append(
          " %8s"
              .formatted(
                  phase.compareTo(way.lastPhase()) > 0
                      ? "-"
                      : seconds(median(rows.stream().map(row -> taken(row, phase)).toList()))));
    }
    return text.toString();
  }

  private static List<Long> totals(StartWay way, List<Map<StartPhase, Long>> rows) {
    return rows.stream().map(row -> row.get(way.lastPhase())).collect(Collectors.toList());
  }

  private static long taken(Map<StartPhase, Long> row, StartPhase phase) {
    return row.get(phase)
        - (phase.ordinal() == 0 ? 0 : row.get(StartPhase.values()[phase.ordinal() - 1]));
  }

  private static double median(List<Long> values) {
    List<Long> sorted = values.stream().sorted().toList();
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2.0;
  }

  private static String seconds(double nanos) {
    return String.format(Locale.ROOT, "%.2f", nanos / 1e9);
  }
}
