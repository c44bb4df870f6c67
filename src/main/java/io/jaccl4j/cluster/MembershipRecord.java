package io.jaccl4j.cluster;

import io.jaccl4j.FormationException;
import io.jaccl4j.Group;
import io.jaccl4j.GroupEvent;
import io.jaccl4j.GroupFailure;
import io.jaccl4j.GroupFailure.Kind;
import io.jaccl4j.GroupSettings;
import io.jaccl4j.cluster.Membership.Stage;
import io.jaccl4j.engine.Engine;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Collects what is known of one join. Written by its actor, read by any thread. */
final class MembershipRecord {
  private static final int NO_RANK = -1;

  private final GroupSettings settings;
  private final Consumer<MembershipRecord> onFirstEvent;
  private boolean heardOf;
  private List<String> candidates = List.of();
  private long waitedNanos;
  private GroupEvent.RanksAssigned ranks;
  private GroupEvent.LinksUp links;
  private Engine engine;
  private Group group;
  private GroupFailure notFormed;

  /**
   * The record of a join that begins.
   *
   * @param onFirstEvent told when the join is under way and not refused
   */
  MembershipRecord(GroupSettings settings, Consumer<MembershipRecord> onFirstEvent) {
    this.settings = settings;
    this.onFirstEvent = onFirstEvent;
  }

  void heard(GroupEvent event) {
    if (take(event)) {
      onFirstEvent.accept(this);
    }
  }

  /** Returns whether it was the first. */
  private synchronized boolean take(GroupEvent event) {
    switch (event) {
      case GroupEvent.Gathering gathering -> {
        candidates = gathering.present();
        waitedNanos = gathering.waitedNanos();
      }
      case GroupEvent.RanksAssigned assigned -> ranks = assigned;
      case GroupEvent.LinksUp up -> links = up;
      case GroupEvent.Ready ready -> waitedNanos = ready.formationNanos();
      case GroupEvent.SlowPeer slow -> {}
      case GroupEvent.Failed failed -> {}
      case GroupEvent.Closed closed -> {}
    }
    boolean first = !heardOf;
    heardOf = true;
    return first;
  }

  synchronized void served(Engine newEngine) {
    engine = newEngine;
  }

  synchronized void formed(Group newGroup) {
    group = newGroup;
  }

  synchronized void notFormed(FormationException failure) {
    int ownRank = ranks == null ? NO_RANK : ranks.rank();
    notFormed = new GroupFailure(Kind.FORMATION, NO_RANK, "", ownRank, failure.getMessage());
  }

  synchronized boolean isOver() {
    return stage().isOver();
  }

  synchronized Membership now() {
    return new Membership(
        settings.name(),
        settings.size(),
        stage(),
        candidates,
        waitedNanos,
        Optional.ofNullable(ranks),
        Optional.ofNullable(links),
        Optional.ofNullable(group).map(Group::counters),
        group == null ? Optional.ofNullable(notFormed) : group.failure(),
        engine == null || engine.alive());
  }

  private Stage stage() {
    if (group == null) {
      return notFormed == null ? Stage.FORMING : Stage.NOT_FORMED;
    }
    return switch (group.health()) {
      case READY -> Stage.READY;
      case FAILED -> Stage.FAILED;
      case CLOSED -> Stage.CLOSED;
    };
  }
}
