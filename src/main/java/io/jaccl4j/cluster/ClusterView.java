package io.jaccl4j.cluster;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.pekko.cluster.ClusterEvent.MemberEvent;
import org.apache.pekko.cluster.ClusterEvent.MemberRemoved;
import org.apache.pekko.cluster.ClusterEvent.ReachabilityEvent;
import org.apache.pekko.cluster.ClusterEvent.UnreachableMember;
import org.apache.pekko.cluster.Member;
import org.apache.pekko.cluster.MemberStatus;

/**
 * The members that could be ranks, as this member sees the cluster: those of its data centre that
 * carry the role.
 */
final class ClusterView {

  private final Map<MemberId, Member> members = new HashMap<>();
  private final Set<MemberId> unreachable = new HashSet<>();
  private final String role;
  private final String dataCenter;

  ClusterView(String role, String dataCenter) {
    this.role = role;
    this.dataCenter = dataCenter;
  }

  void apply(MemberEvent event) {
    Member member = event.member();
    MemberId id = MemberId.of(member.uniqueAddress());
    if (event instanceof MemberRemoved) {
      members.remove(id);
      unreachable.remove(id);
    } else if (member.dataCenter().equals(dataCenter) && (role.isEmpty() || member.hasRole(role))) {
      members.put(id, member);
    }
  }

  void apply(ReachabilityEvent event) {
    MemberId id = MemberId.of(event.member().uniqueAddress());
    if (event instanceof UnreachableMember) {
      unreachable.add(id);
    } else {
      unreachable.remove(id);
    }
  }

  boolean isUnreachable(MemberId id) {
    return unreachable.contains(id);
  }

  boolean isUp(MemberId id) {
    return status(id).filter(MemberStatus.up()::equals).isPresent();
  }

  /** The member's status, or empty if it is no member, not any more, or could be no rank. */
  Optional<MemberStatus> status(MemberId id) {
    return Optional.ofNullable(members.get(id)).map(Member::status);
  }

  /** Negative if {@code a} is older. Both must be members. */
  int compareAge(MemberId a, MemberId b) {
    Member memberA = members.get(a);
    Member memberB = members.get(b);
    if (memberA.isOlderThan(memberB)) {
      return -1;
    }
    return memberB.isOlderThan(memberA) ? 1 : 0;
  }

  /** All that are up. */
  List<MemberId> up() {
    return members.keySet().stream().filter(this::isUp).toList();
  }

  /** Those on their way in, with their status, for people. */
  List<String> notUp() {
    return members.values().stream()
        .filter(member -> !member.status().equals(MemberStatus.up()))
        .map(member -> member.address() + " (" + member.status() + ")")
        .sorted()
        .toList();
  }
}
