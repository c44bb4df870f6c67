package io.jaccl4j.cli;

import io.jaccl4j.cli.bench.BenchmarkPlan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What a started process is told on its command line.
 *
 * @param size number of ranks
 * @param withDemo whether it runs the demo's computation
 * @param benchmark what it measures after that
 * @param formTimeout deadline of the group
 * @param workTimeout deadline of each job
 * @param verbose whether it logs more than warnings
 */
record SpawnedRank(
    int size,
    boolean withDemo,
    BenchmarkPlan benchmark,
    Duration formTimeout,
    Duration workTimeout,
    boolean verbose) {

  /** The command line of the JVM that {@link SpawnedRankCommand} understands. */
  List<String> command() {
    List<String> arguments = new ArrayList<>();
    arguments.add(SpawnedRankCommand.NAME);
    arguments.add("--size=" + size);
    arguments.add("--form-timeout=" + formTimeout);
    arguments.add("--work-timeout=" + workTimeout);
    arguments.add("--benchmark-time=" + benchmark.timePerSize());
    arguments.add(
        "--benchmark-sizes="
            + benchmark.sizesBytes().stream()
                .map(bytes -> Long.toString(bytes))
                .collect(Collectors.joining(",")));
    if (withDemo) {
      arguments.add("--demo");
    }
    if (verbose) {
      arguments.add("--verbose");
    }
    return JavaCommand.of(Main.class.getName(), arguments);
  }
}
