package io.jaccl4j.cluster;

import io.jaccl4j.GroupFailure;
import io.jaccl4j.cluster.RemoteMessage.Excluded;
import io.jaccl4j.cluster.RemoteMessage.Probe;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.pekko.cluster.ClusterEvent.MemberEvent;
import org.apache.pekko.cluster.ClusterEvent.ReachabilityEvent;

/**
 * Judges from what the cluster and the peers say whether a rank of this formation is lost, this one
 * included. Peers that have closed the group in good order cannot be lost any more. Owned by the
 * group's actor.
 */
final class PeerWatch {

  private final JoinContext join;
  private final Proposal proposal;
  private final Causes causes;
  private final Consumer<GroupFailure> abort;
  private final Set<Integer> left = new HashSet<>();

  PeerWatch(JoinContext join, Proposal proposal, Causes causes, Consumer<GroupFailure> abort) {
    this.join = join;
    this.proposal = proposal;
    this.causes = causes;
    this.abort = abort;
  }

  /** Makes up for what happened to peers between the proposal and now. */
  void start() {
    for (MemberId peer : proposal.ids()) {
      if (peer.equals(join.id())) {
        continue;
      }
      if (!join.view().isUp(peer)) {
        lost(peer, "is no longer up in the cluster");
      } else if (join.view().isUnreachable(peer)) {
        awaitReachable(peer);
      }
    }
  }

  void left(int peer) {
    left.add(peer);
  }

  boolean hasLeft(int peer) {
    return left.contains(peer);
  }

  void onMemberChanged(MemberEvent event) {
    join.view().apply(event);
    Optional<String> departure = Departures.describe(event);
    if (departure.isEmpty()) {
      return;
    }
    MemberId member = MemberId.of(event.member().uniqueAddress());
    boolean self = member.equals(join.id());
    if (self && !Departures.isGone(event)) {
      // Leaving in good order: the shutdown that follows closes the group.
      return;
    }
    // A cluster that has shut down on this member reports every member as removed.
    if (self || join.cluster().isTerminated()) {
      abort.accept(causes.excluded("this member was downed, removed, or has left the cluster"));
    } else {
      lost(member, departure.get());
    }
  }

  void onReachabilityChanged(ReachabilityEvent event) {
    join.view().apply(event);
    MemberId member = MemberId.of(event.member().uniqueAddress());
    if (staying(member).isEmpty()) {
      return;
    }
    if (join.view().isUnreachable(member)) {
      awaitReachable(member);
    } else if (join.timers().isTimerActive(member)) {
      join.timers().cancel(member);
      join.log().info("[{}] [{}] is reachable again", join.group(), member);
      // If it was this member that had stopped, the others may have gone on without it.
      join.send(member, new Probe(join.group(), join.id(), proposal.token()));
    }
  }

  void onUnreachableTooLong(MemberId peer) {
    if (join.view().isUnreachable(peer)) {
      lost(
          peer,
          "was unreachable for %s (jaccl4j.unreachable-timeout)"
              .formatted(Durations.text(join.settings().unreachableTimeout())));
    }
  }

  /** A rank of this formation that asks for another one has no part in this one any more. */
  void onAnnouncedAgain(Candidate candidate) {
    boolean later =
        proposal
            .seatOf(candidate.id())
            .filter(seat -> candidate.attempt() > seat.attempt())
            .isPresent();
    if (later) {
      lost(candidate.id(), "has ended this group and is joining again");
    }
  }

  void onExcluded(Excluded excluded) {
    staying(excluded.from())
        .ifPresent(
            peer ->
                abort.accept(
                    causes.excluded(
                        "rank %d (%s) has ended this formation".formatted(peer, excluded.from()))));
  }

  private void awaitReachable(MemberId peer) {
    Duration timeout = join.settings().unreachableTimeout();
    join.log()
        .warn(
            "[{}] [{}] is unreachable; its rank counts as lost in [{}]",
            join.group(),
            peer,
            Durations.text(timeout));
    join.timers().startSingleTimer(peer, new GroupActor.UnreachableTooLong(peer), timeout);
  }

  private void lost(MemberId member, String how) {
    staying(member).ifPresent(peer -> abort.accept(causes.lost(peer, how)));
  }

  /** The member's rank, if it has one and has not closed the group. */
  private OptionalInt staying(MemberId member) {
    OptionalInt peer = proposal.rankOf(member);
    return peer.isPresent() && !left.contains(peer.getAsInt()) ? peer : OptionalInt.empty();
  }
}
