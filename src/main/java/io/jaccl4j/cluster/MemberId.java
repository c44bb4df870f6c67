package io.jaccl4j.cluster;

import io.jaccl4j.GroupMember;
import org.apache.pekko.cluster.UniqueAddress;

/**
 * One incarnation of one cluster member: a restart on the same address is another one.
 *
 * @param address {@code pekko://system@host:port}
 * @param uid the incarnation
 */
record MemberId(String address, long uid) {

  static MemberId of(UniqueAddress unique) {
    return new MemberId(unique.address().toString(), unique.longUid());
  }

  static MemberId of(GroupMember member) {
    return new MemberId(member.address(), member.incarnation());
  }

  @Override
  public String toString() {
    return address;
  }
}
