package io.jaccl4j.cli;

import io.jaccl4j.cli.bench.BenchmarkPlan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What a started process is told on its command line.
 *
 * @param size number of ranks
 * @param withDemo whether it runs the demo's computation
 * @param shape how the ranks are linked
 * @param benchmark what it measures after that
 * @param transports what it compares, or nothing to measure its own group alone
 * @param formTimeout deadline of the group
 * @param workTimeout deadline of each job
 * @param verbose whether it logs more than warnings
 */
record SpawnedRank(
    int size,
    boolean withDemo,
    GroupShape shape,
    BenchmarkPlan benchmark,
    List<String> transports,
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
    arguments.add("--fabric=" + shape.fabric());
    arguments.add("--topology=" + shape.topology());
    arguments.add("--wires=" + shape.wires());
    arguments.add("--wire=" + shape.wire());
    arguments.addAll(SpawnedPlan.arguments(benchmark));
    if (!transports.isEmpty()) {
      arguments.add("--compare=" + String.join(",", transports));
    }
    if (withDemo) {
      arguments.add("--demo");
    }
    if (verbose) {
      arguments.add("--verbose");
    }
    return JavaCommand.of(Main.class.getName(), arguments);
  }
}
