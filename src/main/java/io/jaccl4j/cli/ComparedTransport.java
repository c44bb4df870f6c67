package io.jaccl4j.cli;

import io.jaccl4j.cli.bench.BenchmarkPlan;
import io.jaccl4j.cli.bench.Mode;
import io.jaccl4j.cli.bench.exchange.Operation;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;

/** What a benchmark can compare. */
enum ComparedTransport {
  SHM,
  VERBS,
  TCP,
  RING;

  /** Its name in results: a fabric's, but for the ring. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Throws an IllegalArgumentException that says what is wrong. */
  static void validate(
      List<ComparedTransport> compared, BenchmarkPlan plan, GroupShape shape, int ranks) {
    if (compared.isEmpty()) {
      return;
    }
    if (new HashSet<>(compared).size() < compared.size()) {
      throw new IllegalArgumentException("--compare names a transport twice");
    }
    if (ranks < 2) {
      throw new IllegalArgumentException("--compare needs 2 ranks or more");
    }
    if (plan.check() || !plan.modes().equals(List.of(Mode.SESSION))) {
      throw new IllegalArgumentException(
          "--compare measures on the engine threads alone, without --check");
    }
    if (!shape.equals(GroupShape.DEFAULT)) {
      throw new IllegalArgumentException(
          "--compare goes without --fabric, --topology, --wires and --wire");
    }
    Operation operation = plan.operation();
    boolean everywhere =
        switch (operation) {
          case ALL_SUM, ALL_MAX, ALL_MIN, ALL_GATHER -> true;
          case SUM_SCATTER, SEND_RECV, BROADCAST, ALL_TO_ALL, BARRIER -> false;
        };
    if (!everywhere) {
      throw new IllegalArgumentException(
          "--compare knows all_sum, all_max, all_min and all_gather, not " + operation.label());
    }
  }
}
