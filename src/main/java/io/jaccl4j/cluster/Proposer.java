package io.jaccl4j.cluster;

import io.jaccl4j.cluster.RemoteMessage.Deny;
import io.jaccl4j.cluster.RemoteMessage.Deny.Grounds;
import io.jaccl4j.cluster.RemoteMessage.Grant;
import io.jaccl4j.cluster.RemoteMessage.Propose;
import io.jaccl4j.cluster.RemoteMessage.Withdraw;
import java.util.List;
import java.util.Optional;

/**
 * The proposing side of an agreement, on the member that finds itself the oldest candidate: one
 * proposal at a time, repeated to whoever is silent, committed when all have granted it. Owned by
 * the group's actor.
 */
final class Proposer {

  private final JoinContext join;
  private final Candidates candidates;
  private long epochFloor;

  /** Null unless a proposal is under way. */
  private Ballot ballot;

  Proposer(JoinContext join, Candidates candidates) {
    this.join = join;
    this.candidates = candidates;
    this.epochFloor = join.self().highestEpoch();
  }

  boolean busy() {
    return ballot != null;
  }

  boolean includes(MemberId member) {
    return ballot != null && ballot.includes(member);
  }

  /** Whose answer is outstanding. */
  List<MemberId> silent() {
    return ballot == null ? List.of() : ballot.silent();
  }

  /**
   * Proposes a table.
   *
   * @return the table if it needs nobody's agreement
   */
  Optional<Proposal> open(List<Candidate> chosen, String fabric) {
    long epoch = Math.max(epochFloor, candidates.highestEpoch()) + 1;
    Proposal proposal = new Proposal(Tokens.next(), epoch, fabric, RankAssignment.assign(chosen));
    join.expect(proposal);
    join.log().info("[{}] Proposing epoch [{}] to {}", join.group(), epoch, proposal.ids());
    ballot = new Ballot(proposal, join.id());
    repeat();
    return decided();
  }

  /** Repeats the proposal, or gives up on those that stay silent. */
  void onTick() {
    if (ballot == null) {
      return;
    }
    if (ballot.overdue()) {
      join.log().warn("[{}] No answer from {} to the proposal", join.group(), ballot.silent());
      ballot.silent().forEach(candidates::drop);
      withdraw();
    } else {
      repeat();
    }
  }

  /** Takes an agreement; returns the table once it is complete. */
  Optional<Proposal> onGrant(Grant grant) {
    if (ballot == null || !ballot.concerns(grant.token())) {
      // A grant that crossed the withdrawal, or the withdrawal was lost.
      join.send(grant.from(), new Withdraw(join.group(), join.id(), grant.token()));
      return Optional.empty();
    }
    ballot.granted(grant.from());
    return decided();
  }

  /** Withdraws a proposal that cannot be granted any more. */
  void onDeny(Deny deny) {
    if (ballot == null || !ballot.concerns(deny.token()) || deny.grounds() == Grounds.BUSY) {
      return;
    }
    epochFloor = Math.max(epochFloor, deny.highestEpoch());
    if (deny.grounds() == Grounds.NOT_A_CANDIDATE) {
      candidates.drop(deny.from());
    }
    withdraw();
  }

  /** Takes the proposal back, if there is one. */
  void withdraw() {
    if (ballot == null) {
      return;
    }
    Withdraw withdraw = new Withdraw(join.group(), join.id(), ballot.proposal().token());
    join.peersOf(ballot.proposal()).forEach(member -> join.send(member, withdraw));
    ballot = null;
  }

  private void repeat() {
    Propose propose = new Propose(join.group(), join.id(), ballot.proposal());
    ballot.silent().forEach(member -> join.send(member, propose));
  }

  private Optional<Proposal> decided() {
    return ballot.complete() ? Optional.of(ballot.proposal()) : Optional.empty();
  }
}
