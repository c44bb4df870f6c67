package io.jaccl4j.benchmark;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.openjdk.jmh.results.RunResult;

/**
 * Throughput of one operand and its ratios: how near a kernel comes to a copy of as many bytes, and
 * how many times faster than the scalar reference it is.
 */
final class KernelRatios {
  private static final String ROW = "%-10s %-8s %-13s %9s %11s %13s %11s %10s %12s %14s%n";

  private KernelRatios() {}

  static String table(Collection<RunResult> results) {
    Map<String, Double> copyNanosByBytes = new TreeMap<>();
    Map<String, Map<String, Double>> nanosByCase = new LinkedHashMap<>();
    for (RunResult result : results) {
      String benchmark = result.getParams().getBenchmark();
      double nanos = result.getPrimaryResult().getScore();
      if (benchmark.startsWith(CopyBenchmark.class.getName())) {
        copyNanosByBytes.put(result.getParams().getParam("bytes"), nanos);
      } else if (benchmark.startsWith(ReduceBenchmark.class.getName())) {
        nanosByCase
            .computeIfAbsent(caseOf(result), name -> new LinkedHashMap<>())
            .put(benchmark.substring(benchmark.lastIndexOf('.') + 1), nanos);
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
            "vector GB/s",
            "in place GB/s",
            "scalar GB/s",
            "copy GB/s",
            "vector/copy",
            "vector/scalar"));
    nanosByCase.forEach(
        (name, nanos) -> {
          String[] parts = name.split(" ");
          table.append(row(parts, nanos, copyNanosByBytes.get(parts[3])));
        });
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

  private static String row(String[] name, Map<String, Double> nanos, Double copyNanos) {
    long bytes = Long.parseLong(name[3]);
    Double vectorNanos = nanos.get("vector");
    Double scalarNanos = nanos.get("scalar");
    return String.format(
        Locale.ROOT,
        ROW,
        name[0],
        name[1],
        name[2],
        name[3],
        throughput(bytes, vectorNanos),
        throughput(bytes, nanos.get("vectorInPlace")),
        throughput(bytes, scalarNanos),
        throughput(bytes, copyNanos),
        ratio(copyNanos, vectorNanos),
        ratio(scalarNanos, vectorNanos));
  }

  private static String throughput(long bytes, Double nanos) {
    return nanos == null ? "-" : String.format(Locale.ROOT, "%.2f", bytes / nanos);
  }

  private static String ratio(Double slower, Double faster) {
    return slower == null || faster == null
        ? "-"
        : String.format(Locale.ROOT, "%.2f", slower / faster);
  }
}
