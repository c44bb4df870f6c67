package io.jaccl4j.cluster;

import io.jaccl4j.GroupMember;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The table that all ranks of one formation agree to.
 *
 * @param token 128 random bits that name this formation in every later message
 * @param epoch number of the formation
 * @param fabric name of the fabric
 * @param seats in rank order
 */
record Proposal(String token, long epoch, String fabric, List<Seat> seats) {

  List<GroupMember> members() {
    return seats.stream().map(Seat::member).toList();
  }

  List<MemberId> ids() {
    return seats.stream().map(Seat::id).toList();
  }

  MemberId idOf(int rank) {
    return seats.get(rank).id();
  }

  OptionalInt rankOf(MemberId id) {
    return seats.stream()
        .filter(seat -> seat.id().equals(id))
        .mapToInt(seat -> seat.member().rank())
        .findFirst();
  }

  Optional<Seat> seatOf(MemberId id) {
    return seats.stream().filter(seat -> seat.id().equals(id)).findFirst();
  }
}
