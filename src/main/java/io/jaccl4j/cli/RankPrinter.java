package io.jaccl4j.cli;

import io.jaccl4j.GroupEvent;
import io.jaccl4j.GroupMember;
import io.jaccl4j.cli.job.StepResult;
import io.jaccl4j.cli.job.TimeFormat;
import java.io.PrintWriter;
import java.util.List;

/** Prints what happens to one rank for its own terminal. Any thread. */
final class RankPrinter {
  private final PrintWriter out;
  private final PrintWriter err;
  private String rankLabel = "this rank";

  RankPrinter(PrintWriter out, PrintWriter err) {
    this.out = out;
    this.err = err;
  }

  synchronized void accept(RankMessage message) {
    switch (message) {
      case RankMessage.Listening(String address) -> print("listening at " + address);
      case RankMessage.MemberUp() -> print("member of the cluster is up");
      case RankMessage.Event(GroupEvent event) -> printEvent(event);
      case RankMessage.Doing(String what) -> print(what);
      case RankMessage.Measured ignored -> {}
      case RankMessage.StepDone(StepResult result) -> printStep(result);
      case RankMessage.Finished(int failedChecks) ->
          print(
              failedChecks == 0
                  ? "OK: all checks passed, leaving"
                  : "FAILED: " + failedChecks + " checks, leaving");
      case RankMessage.Failed(int exitCode, String reason) -> {
        err.println("FAILED: " + rankLabel + ": " + reason);
        err.flush();
      }
    }
  }

  private void printEvent(GroupEvent event) {
    switch (event) {
      case GroupEvent.Gathering e ->
          print(
              String.format(
                  "waiting for ranks: %d of %d after %s: %s",
                  e.present().size(),
                  e.size(),
                  TimeFormat.nanos(e.waitedNanos()),
                  e.present().isEmpty() ? "nobody yet" : String.join(", ", e.present())));
      case GroupEvent.RanksAssigned e -> printRanks(e);
      case GroupEvent.LinksUp e ->
          print("links are up: " + e.links() + " by " + e.fabric() + ": " + e.description());
      case GroupEvent.Ready e ->
          print("group is ready after " + TimeFormat.nanos(e.formationNanos()));
      case GroupEvent.SlowPeer e ->
          print(
              String.format(
                  "%s #%d has waited %s for %s",
                  e.operation(), e.sequence(), TimeFormat.nanos(e.waitedNanos()), e.awaited()));
      case GroupEvent.Failed e ->
          print("group failed: " + e.failure().culprit() + ": " + e.failure().detail());
      case GroupEvent.Closed() -> print("group is closed");
    }
  }

  private void printRanks(GroupEvent.RanksAssigned ranks) {
    rankLabel = "rank " + ranks.rank();
    Table table = new Table("Ranks of epoch " + ranks.epoch(), "rank", "host", "address", "");
    for (GroupMember member : ranks.members()) {
      table.row(
          member.rank(),
          member.host(),
          member.address(),
          member.rank() == ranks.rank() ? "this rank" : "");
    }
    print(table.render());
  }

  private void printStep(StepResult result) {
    print(StepTables.render(List.of(result)));
    StepTables.failures(rankLabel, List.of(result)).forEach(this::print);
  }

  private void print(String text) {
    out.println(text);
    out.flush();
  }
}
