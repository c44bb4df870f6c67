package io.jaccl4j.cli;

import io.jaccl4j.GroupEvent;
import io.jaccl4j.cli.job.TimeFormat;

/**
 * What the started ranks have told, as tables: one for each thing that all of them have reached.
 */
final class RunTables {
  private final RankBoard board;
  private final long startNanos;

  /**
   * Tables of a run.
   *
   * @param startNanos when the first process was started
   */
  RunTables(RankBoard board, long startNanos) {
    this.board = board;
    this.startNanos = startNanos;
  }

  String members() {
    Table table = new Table("Members up", "process", "pid", "address", "up after");
    for (int number = 0; number < board.size(); number++) {
      RankState process = board.process(number);
      table.row(
          number,
          process.pid(),
          process.address(),
          sinceStart(process.reachedNanos(Milestone.MEMBER_UP)));
    }
    return table.render();
  }

  String ranks() {
    long epoch = board.process(0).ranks().orElseThrow().epoch();
    Table table = new Table("Ranks of epoch " + epoch, "rank", "pid", "address");
    for (RankState process : board.byRank()) {
      table.row(process.ranks().orElseThrow().rank(), process.pid(), process.address());
    }
    return table.render();
  }

  String links() {
    Table table = new Table("Links", "rank", "fabric", "links", "description");
    for (RankState process : board.byRank()) {
      GroupEvent.LinksUp links = process.links().orElseThrow();
      table.row(
          process.ranks().orElseThrow().rank(), links.fabric(), links.links(), links.description());
    }
    return table.render();
  }

  /** How long all ranks took to reach each milestone. */
  String times() {
    Table table = new Table("Times, until the last rank", "reached", "after start", "took");
    long previousNanos = startNanos;
    for (Milestone milestone : Milestone.values()) {
      long reachedNanos = board.reachedByAllNanos(milestone);
      table.row(
          milestone.done(),
          sinceStart(reachedNanos),
          TimeFormat.nanos(Math.max(0, reachedNanos - previousNanos)));
      previousNanos = Math.max(previousNanos, reachedNanos);
    }
    return table.render();
  }

  /** For instance {@code members up: 2 of 4, process 1 starting, process 3 starting (3 s)}. */
  String awaited(Milestone milestone, long nowNanos) {
    return String.format(
        "%s: %d of %d after %d s; %s",
        milestone.done(),
        board.countReached(milestone),
        board.size(),
        (nowNanos - startNanos) / 1_000_000_000,
        board.missing(milestone));
  }

  private String sinceStart(long nanos) {
    return TimeFormat.nanos(nanos - startNanos);
  }
}
