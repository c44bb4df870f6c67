package io.jaccl4j.cli;

import io.jaccl4j.GroupEvent;
import io.jaccl4j.cli.job.StepResult;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What one started rank has told so far. */
final class RankState {
  private final long pid;
  private final Map<Milestone, Long> reachedNanos = new EnumMap<>(Milestone.class);
  private final List<StepResult> steps = new ArrayList<>();
  private String address = "";
  private String doing = Milestone.FINISHED.underWay();
  private GroupEvent.RanksAssigned ranks;
  private GroupEvent.LinksUp links;

  RankState(long pid) {
    this.pid = pid;
  }

  void apply(RankMessage message, long nowNanos) {
    switch (message) {
      case RankMessage.Listening(String ownAddress) -> {
        address = ownAddress;
        reach(Milestone.LISTENING, nowNanos);
      }
      case RankMessage.MemberUp() -> reach(Milestone.MEMBER_UP, nowNanos);
      case RankMessage.Event(GroupEvent event) -> applyEvent(event, nowNanos);
      case RankMessage.Doing(String what) -> doing = what;
      case RankMessage.Measured ignored -> {}
      case RankMessage.StepDone(StepResult result) -> steps.add(result);
      case RankMessage.Finished ignored -> reach(Milestone.FINISHED, nowNanos);
      case RankMessage.Failed ignored -> {}
    }
  }

  void exited(long nowNanos) {
    reach(Milestone.EXITED, nowNanos);
  }

  long pid() {
    return pid;
  }

  String address() {
    return address;
  }

  Optional<GroupEvent.RanksAssigned> ranks() {
    return Optional.ofNullable(ranks);
  }

  Optional<GroupEvent.LinksUp> links() {
    return Optional.ofNullable(links);
  }

  List<StepResult> steps() {
    return List.copyOf(steps);
  }

  boolean hasReached(Milestone milestone) {
    return reachedNanos.containsKey(milestone);
  }

  /** When it was reached; only if it was. */
  long reachedNanos(Milestone milestone) {
    return reachedNanos.get(milestone);
  }

  /** What the rank does now, for people. */
  String activity() {
    for (Milestone milestone : Milestone.values()) {
      if (!hasReached(milestone)) {
        return milestone == Milestone.FINISHED ? doing : milestone.underWay();
      }
    }
    return Milestone.EXITED.done();
  }

  private void applyEvent(GroupEvent event, long nowNanos) {
    switch (event) {
      case GroupEvent.RanksAssigned assigned -> {
        ranks = assigned;
        reach(Milestone.RANKED, nowNanos);
      }
      case GroupEvent.LinksUp up -> {
        links = up;
        reach(Milestone.LINKED, nowNanos);
      }
      case GroupEvent.Ready ignored -> reach(Milestone.READY, nowNanos);
      case GroupEvent.Gathering ignored -> {}
      case GroupEvent.SlowPeer ignored -> {}
      case GroupEvent.Failed ignored -> {}
      case GroupEvent.Closed ignored -> {}
    }
  }

  private void reach(Milestone milestone, long nowNanos) {
    reachedNanos.putIfAbsent(milestone, nowNanos);
  }
}
