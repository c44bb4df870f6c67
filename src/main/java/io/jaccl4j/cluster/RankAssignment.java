package io.jaccl4j.cluster;

import io.jaccl4j.GroupMember;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Deals the ranks: fixed ranks as they are, the others by cluster age into what is free. */
final class RankAssignment {

  private RankAssignment() {}

  /**
   * One seat per candidate, in rank order.
   *
   * @param byAge as many candidates as there are ranks, the oldest member first, without conflicts
   */
  static List<Seat> assign(List<Candidate> byAge) {
    Candidate[] owners = new Candidate[byAge.size()];
    List<Candidate> flexible = new ArrayList<>();
    for (Candidate candidate : byAge) {
      if (candidate.fixedRank().isPresent()) {
        owners[candidate.fixedRank().getAsInt()] = candidate;
      } else {
        flexible.add(candidate);
      }
    }
    int next = 0;
    for (int rank = 0; rank < owners.length; rank++) {
      if (owners[rank] == null) {
        owners[rank] = flexible.get(next++);
      }
    }
    List<Candidate> byRank = Arrays.asList(owners);
    List<Seat> seats = new ArrayList<>();
    for (int rank = 0; rank < byRank.size(); rank++) {
      Candidate owner = byRank.get(rank);
      seats.add(
          new Seat(
              new GroupMember(rank, owner.id().address(), owner.id().uid(), owner.host()),
              owner.attempt()));
    }
    return List.copyOf(seats);
  }
}
