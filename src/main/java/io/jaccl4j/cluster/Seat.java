package io.jaccl4j.cluster;

import io.jaccl4j.GroupMember;

/**
 * One rank of a proposal.
 *
 * @param member who gets it
 * @param attempt which of that member's joins it is meant for
 */
record Seat(GroupMember member, long attempt) {

  MemberId id() {
    return MemberId.of(member);
  }
}
