package io.jaccl4j.cli;

import io.jaccl4j.GroupEvent;
import io.jaccl4j.GroupMember;
import io.jaccl4j.cli.job.StepResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** What all started ranks have told so far, and whether they agree. */
final class RankBoard {
  private final List<RankState> processes;

  RankBoard(List<RankState> processes) {
    this.processes = List.copyOf(processes);
  }

  int size() {
    return processes.size();
  }

  RankState process(int number) {
    return processes.get(number);
  }

  /** The processes in the order of their ranks, once all have one. */
  List<RankState> byRank() {
    return processes.stream()
        .sorted(Comparator.comparingInt(process -> process.ranks().orElseThrow().rank()))
        .toList();
  }

  boolean haveAllReached(Milestone milestone) {
    return processes.stream().allMatch(process -> process.hasReached(milestone));
  }

  /** When the last process reached it; only if all have. */
  long reachedByAllNanos(Milestone milestone) {
    return processes.stream()
        .mapToLong(process -> process.reachedNanos(milestone))
        .max()
        .orElseThrow();
  }

  /** How many steps all ranks have done. */
  int stepsDoneByAll() {
    return processes.stream().mapToInt(process -> process.steps().size()).min().orElse(0);
  }

  /** One step as each rank saw it, in rank order. */
  List<StepResult> step(int index) {
    return byRank().stream().map(process -> process.steps().get(index)).toList();
  }

  /** What keeps a milestone from being reached: "starting: process 1 3, working: process 2". */
  String missing(Milestone milestone) {
    Map<String, String> numbersByActivity = new LinkedHashMap<>();
    for (int number = 0; number < processes.size(); number++) {
      if (!processes.get(number).hasReached(milestone)) {
        numbersByActivity.merge(
            processes.get(number).activity(),
            "process " + number,
            (all, own) -> all + own.replace("process", ""));
      }
    }
    return numbersByActivity.entrySet().stream()
        .map(entry -> entry.getKey() + ": " + entry.getValue())
        .collect(Collectors.joining(", "));
  }

  int countReached(Milestone milestone) {
    return (int) processes.stream().filter(process -> process.hasReached(milestone)).count();
  }

  /** Where the processes disagree about epoch, ranks or members; empty if they agree. */
  Optional<String> disagreement() {
    GroupEvent.RanksAssigned first = processes.getFirst().ranks().orElseThrow();
    List<Integer> seen = new ArrayList<>();
    for (int number = 0; number < processes.size(); number++) {
      RankState process = processes.get(number);
      GroupEvent.RanksAssigned own = process.ranks().orElseThrow();
      if (own.epoch() != first.epoch() || !own.members().equals(first.members())) {
        return Optional.of(
            "process 0 has " + describe(first) + ", process " + number + " has " + describe(own));
      }
      String listed =
          own.rank() >= 0 && own.rank() < own.members().size()
              ? own.members().get(own.rank()).address()
              : "nobody";
      if (!listed.equals(process.address())) {
        return Optional.of(
            "process "
                + number
                + " at "
                + process.address()
                + " has rank "
                + own.rank()
                + ", where the table lists "
                + listed);
      }
      if (seen.contains(own.rank())) {
        return Optional.of("rank " + own.rank() + " was given twice");
      }
      seen.add(own.rank());
    }
    return Optional.empty();
  }

  private static String describe(GroupEvent.RanksAssigned ranks) {
    return "epoch "
        + ranks.epoch()
        + " with "
        + ranks.members().stream().map(GroupMember::toString).toList();
  }
}
