package io.jaccl4j.cli;

import io.jaccl4j.Dtype;
import io.jaccl4j.cli.bench.BenchmarkPlan;
import io.jaccl4j.cli.bench.Effort;
import io.jaccl4j.cli.bench.Mode;
import io.jaccl4j.cli.bench.exchange.Operation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/** A benchmark's plan on the command line of a started rank. */
final class SpawnedPlan {

  @Option(names = "--benchmark", required = true)
  private Operation operation;

  @Option(names = "--dtype", required = true)
  private Dtype dtype;

  @Option(names = "--sizes", split = ",", required = true)
  private List<Long> sizesBytes;

  @Option(names = "--in-place")
  private boolean inPlace;

  @Option(names = "--plain-memory")
  private boolean plainMemory;

  @Option(names = "--check")
  private boolean check;

  @Option(names = "--modes", split = ",", required = true)
  private List<Mode> modes;

  @Option(names = "--time-per-size", required = true)
  private Duration timePerSize;

  @Option(names = "--iterations", required = true)
  private int iterations;

  /** What {@link #plan} reads. */
  static List<String> arguments(BenchmarkPlan plan) {
    List<String> arguments = new ArrayList<>();
    arguments.add("--benchmark=" + plan.operation());
    arguments.add("--dtype=" + plan.dtype());
    arguments.add("--sizes=" + joined(plan.sizesBytes()));
    arguments.add("--modes=" + joined(plan.modes()));
    arguments.add("--time-per-size=" + plan.effort().timePerSize());
    arguments.add("--iterations=" + plan.effort().iterations());
    if (plan.inPlace()) {
      arguments.add("--in-place");
    }
    if (plan.plainMemory()) {
      arguments.add("--plain-memory");
    }
    if (plan.check()) {
      arguments.add("--check");
    }
    return arguments;
  }

  BenchmarkPlan plan() {
    return new BenchmarkPlan(
        operation,
        dtype,
        sizesBytes,
        inPlace,
        plainMemory,
        check,
        modes,
        new Effort(timePerSize, iterations));
  }

  private static String joined(List<?> items) {
    return items.stream().map(Object::toString).collect(Collectors.joining(","));
  }
}
