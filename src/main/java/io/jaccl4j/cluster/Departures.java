package io.jaccl4j.cluster;

import java.util.Optional;
import org.apache.pekko.cluster.ClusterEvent.MemberDowned;
import org.apache.pekko.cluster.ClusterEvent.MemberEvent;
import org.apache.pekko.cluster.ClusterEvent.MemberExited;
import org.apache.pekko.cluster.ClusterEvent.MemberLeft;
import org.apache.pekko.cluster.ClusterEvent.MemberRemoved;

/** Which cluster events mean that a member can be no rank any more, in words. */
final class Departures {

  private Departures() {}

  static boolean isDeparted(MemberEvent event) {
    return describe(event).isPresent();
  }

  /** Whether nothing can reach the member any more. */
  static boolean isGone(MemberEvent event) {
    return event instanceof MemberDowned || event instanceof MemberRemoved;
  }

  /** How the member went, as the end of a sentence that begins with its name. */
  static Optional<String> describe(MemberEvent event) {
    return switch (event) {
      case MemberLeft left -> Optional.of("left the cluster without closing the group");
      case MemberExited exited -> Optional.of("left the cluster without closing the group");
      case MemberDowned downed -> Optional.of("was downed in the cluster");
      case MemberRemoved removed -> Optional.of("was removed from the cluster");
      default -> Optional.empty();
    };
  }
}
