package io.jaccl4j.benchmark;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.openjdk.jmh.results.RunResult;

/**
 * Ratios of times of the same parameters: what a kernel costs in copies of as many bytes, and how
 * many times faster than the scalar reference it is.
 */
final class KernelRatios {
  private static final String ROW = "%-10s %-8s %-13s %9s %10s %10s %10s %12s %13s%n";

  private KernelRatios() {}

  static String table(Collection<RunResult> results) {
    Map<String, Map<String, Double>> nanosByCase = new LinkedHashMap<>();
    for (RunResult result : results) {
      String benchmark = result.getParams().getBenchmark();
      if (benchmark.startsWith(ReduceBenchmark.class.getName())) {
        nanosByCase
            .computeIfAbsent(caseOf(result), name -> new LinkedHashMap<>())
            .put(
                benchmark.substring(benchmark.lastIndexOf('.') + 1),
                result.getPrimaryResult().getScore());
      }
    }
    if (nanosByCase.isEmpty()) {
      return "";
    }
    StringBuilder table = new StringBuilder();
    table.append(
        String.format(
            Locale.ROOT,
            ROW,
            "dtype",
            "op",
            "rules",
            "bytes",
            "vector us",
            "scalar us",
            "copy us",
            "vector/copy",
            "scalar/vector"));
    nanosByCase.forEach((name, nanos) -> table.append(row(name.split(" "), nanos)));
    return table.toString();
  }

  private static String caseOf(RunResult result) {
    return String.join(
        " ",
        result.getParams().getParam("dtype"),
        result.getParams().getParam("op"),
        result.getParams().getParam("rules"),
        result.getParams().getParam("bytes"));
  }

  private static String row(String[] name, Map<String, Double> nanos) {
    return String.format(
        Locale.ROOT,
        ROW,
        name[0],
        name[1],
        name[2],
        name[3],
        micros(nanos.get("vector")),
        micros(nanos.get("scalar")),
        micros(nanos.get("copy")),
        ratio(nanos.get("vector"), nanos.get("copy")),
        ratio(nanos.get("scalar"), nanos.get("vector")));
  }

  private static String micros(Double nanos) {
    return nanos == null ? "-" : String.format(Locale.ROOT, "%.3f", nanos / 1e3);
  }

  private static String ratio(Double part, Double whole) {
    return part == null || whole == null ? "-" : String.format(Locale.ROOT, "%.2f", part / whole);
  }
}
