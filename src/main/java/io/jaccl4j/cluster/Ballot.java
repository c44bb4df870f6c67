package io.jaccl4j.cluster;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** A proposal under way, on the member that proposes: who has not granted it yet. */
final class Ballot {

  /** After so many ticks the proposer gives up on whoever is silent and looks for others. */
  static final int PATIENCE_TICKS = 20;

  private final Proposal proposal;
  private final Set<MemberId> silent;
  private int ticks;

  /** The proposer itself has granted. */
  Ballot(Proposal proposal, MemberId proposer) {
    this.proposal = proposal;
    this.silent = new LinkedHashSet<>(proposal.ids());
    silent.remove(proposer);
  }

  Proposal proposal() {
    return proposal;
  }

  List<MemberId> silent() {
    return List.copyOf(silent);
  }

  /** Whether this is about this ballot and not an earlier one. */
  boolean concerns(String token) {
    return proposal.token().equals(token);
  }

  boolean includes(MemberId id) {
    return proposal.rankOf(id).isPresent();
  }

  void granted(MemberId id) {
    silent.remove(id);
  }

  boolean complete() {
    return silent.isEmpty();
  }

  /** Counts a tick; true when patience has run out. */
  boolean overdue() {
    return ++ticks > PATIENCE_TICKS;
  }
}
