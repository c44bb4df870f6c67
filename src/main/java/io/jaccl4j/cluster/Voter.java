package io.jaccl4j.cluster;

import io.jaccl4j.cluster.RemoteMessage.Commit;
import io.jaccl4j.cluster.RemoteMessage.Committed;
import io.jaccl4j.cluster.RemoteMessage.Deny;
import io.jaccl4j.cluster.RemoteMessage.Deny.Grounds;
import io.jaccl4j.cluster.RemoteMessage.Excluded;
import io.jaccl4j.cluster.RemoteMessage.Grant;
import io.jaccl4j.cluster.RemoteMessage.Propose;
import java.util.List;
import java.util.Optional;

/**
 * The granting side of an agreement: grants one proposal at a time, so that no two tables with a
 * common member can both be committed. Owned by the group's actor.
 */
final class Voter {

  /**
   * A grant outlives the proposer's patience well, so that a commit which was sent in time finds it
   * in force.
   */
  private static final int GRANT_TICKS = 3 * Ballot.PATIENCE_TICKS;

  private final JoinContext join;
  private final Proposer proposer;

  /** Null unless a grant is in force. */
  private Granted granted;

  private record Granted(Proposal proposal, MemberId proposer, long sinceTick) {}

  Voter(JoinContext join, Proposer proposer) {
    this.join = join;
    this.proposer = proposer;
  }

  boolean bound() {
    return granted != null;
  }

  /** Whether this member is bound to a table that the other has no part in. */
  boolean boundWithout(MemberId other) {
    return granted != null && granted.proposal().rankOf(other).isEmpty();
  }

  /** The proposer whose decision is outstanding. */
  List<MemberId> awaited() {
    return granted == null ? List.of() : List.of(granted.proposer());
  }

  void onTick(long tick) {
    if (granted != null && tick - granted.sinceTick() > GRANT_TICKS) {
      join.log()
          .warn(
              "[{}] No decision from [{}] on epoch [{}]; taking the grant back",
              join.group(),
              granted.proposer(),
              granted.proposal().epoch());
      granted = null;
    }
  }

  void onPropose(Propose propose, long tick) {
    Proposal proposal = propose.proposal();
    if (granted == null || !granted.proposal().token().equals(proposal.token())) {
      Optional<Grounds> objection = objection(propose);
      if (objection.isPresent()) {
        join.send(propose.from(), denial(proposal, objection.get()));
        return;
      }
      proposer.withdraw();
      granted = new Granted(proposal, propose.from(), tick);
      // Before the grant: peers may speak of this formation as soon as the proposer has it.
      join.expect(proposal);
    }
    join.send(propose.from(), new Grant(join.group(), join.id(), proposal.token()));
  }

  /** The proposer has taken it back, or its formation has failed already. */
  void onWithdrawn(String token) {
    if (granted != null && granted.proposal().token().equals(token)) {
      granted = null;
    }
  }

  void onDeparted(MemberId member) {
    if (granted != null && granted.proposer().equals(member)) {
      granted = null;
    }
  }

  /** The table, if it is the granted one; otherwise its proposer learns that it is too late. */
  Optional<Proposal> onCommit(Commit commit) {
    if (granted == null || !granted.proposal().token().equals(commit.token())) {
      join.send(commit.from(), new Excluded(join.group(), join.id(), commit.token()));
      return Optional.empty();
    }
    join.send(commit.from(), new Committed(join.group(), join.id(), commit.token()));
    return Optional.of(granted.proposal());
  }

  private Deny denial(Proposal proposal, Grounds grounds) {
    return new Deny(join.group(), join.id(), proposal.token(), grounds, join.self().highestEpoch());
  }

  private Optional<Grounds> objection(Propose propose) {
    boolean forThisJoin =
        propose
            .proposal()
            .seatOf(join.id())
            .filter(seat -> seat.attempt() == join.self().attempt())
            .isPresent();
    if (!forThisJoin) {
      return Optional.of(Grounds.NOT_A_CANDIDATE);
    }
    if (propose.proposal().epoch() <= join.self().highestEpoch()) {
      return Optional.of(Grounds.STALE_EPOCH);
    }
    // Views differ while gossip spreads: with a rank that is not up here yet, the formation would
    // be
    // aborted as soon as it began.
    boolean allUp = propose.proposal().ids().stream().allMatch(join.view()::isUp);
    if (granted != null || !allUp) {
      return Optional.of(Grounds.BUSY);
    }
    // Of two proposers the older one wins; age is a total order, so they do not block each other.
    boolean ownGoesFirst = proposer.busy() && join.view().compareAge(propose.from(), join.id()) > 0;
    return ownGoesFirst ? Optional.of(Grounds.BUSY) : Optional.empty();
  }
}
