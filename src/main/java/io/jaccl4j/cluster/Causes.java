package io.jaccl4j.cluster;

import io.jaccl4j.FormationException;
import io.jaccl4j.FormationException.Reason;
import io.jaccl4j.GroupFailure;
import io.jaccl4j.GroupFailure.Kind;

/** Puts what happens to one rank of a formation into failures that name everything needed. */
final class Causes {

  private final Proposal proposal;
  private final MemberId self;
  private final int rank;
  private final String where;

  Causes(String group, Proposal proposal, MemberId self) {
    this.proposal = proposal;
    this.self = self;
    this.rank = proposal.rankOf(self).orElseThrow();
    this.where = "group [%s] epoch %d rank %d".formatted(group, proposal.epoch(), rank);
  }

  /** Group, epoch and rank, as every message begins. */
  String where() {
    return where;
  }

  /**
   * A peer is gone.
   *
   * @param how the end of a sentence that begins with its name
   */
  GroupFailure lost(int peer, String how) {
    MemberId member = proposal.idOf(peer);
    return new GroupFailure(
        Kind.PEER_LOST,
        peer,
        member.address(),
        rank,
        "%s: rank %d (%s) %s; join again for a new epoch".formatted(where, peer, member, how));
  }

  /** This rank is out. */
  GroupFailure excluded(String why) {
    return new GroupFailure(
        Kind.EXCLUDED,
        rank,
        self.address(),
        rank,
        "%s: excluded from the group, since %s; join again for a new epoch".formatted(where, why));
  }

  /** This rank has not become ready. */
  GroupFailure notFormed(String why) {
    return new GroupFailure(
        Kind.FORMATION, rank, self.address(), rank, "%s: not formed, %s".formatted(where, why));
  }

  /** What the peers are told of this rank's own formation error. */
  GroupFailure of(FormationException failure) {
    // If a rank is missing, this one only reports it; anything else is this rank's own trouble.
    boolean culpritUnknown = failure.reason() == Reason.TIMEOUT;
    return new GroupFailure(
        Kind.FORMATION,
        culpritUnknown ? -1 : rank,
        culpritUnknown ? "" : self.address(),
        rank,
        failure.getMessage());
  }

  /** A peer's first cause verbatim, unless it is this very rank that the others have given up. */
  GroupFailure asSeenHere(GroupFailure failure) {
    if (failure.kind() != Kind.PEER_LOST || failure.rank() != rank) {
      return failure;
    }
    return new GroupFailure(
        Kind.EXCLUDED,
        rank,
        failure.address(),
        failure.reportedBy(),
        "%s: excluded from the group, since the others have given it up: %s"
            .formatted(where, failure.detail()));
  }

  /** What {@code join} fails with if the cause comes before the group is ready. */
  FormationException toException(GroupFailure cause, boolean stopping) {
    Reason reason =
        stopping || cause.kind() == Kind.EXCLUDED
            ? Reason.STOPPED
            : cause.rank() == rank ? Reason.FABRIC : Reason.PEER_FAILED;
    return new FormationException(reason, toldBy(cause) + cause.detail());
  }

  private String toldBy(GroupFailure cause) {
    int reporter = cause.reportedBy();
    boolean peer = reporter != rank && reporter >= 0 && reporter < proposal.seats().size();
    return peer
        ? "%s: not formed, as rank %d (%s) reports: "
            .formatted(where, reporter, proposal.idOf(reporter))
        : "";
  }
}
