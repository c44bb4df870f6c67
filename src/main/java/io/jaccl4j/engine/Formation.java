package io.jaccl4j.engine;

import io.jaccl4j.AllGather;
import io.jaccl4j.GroupMember;
import io.jaccl4j.GroupSettings;
import java.util.List;

/**
 * One agreed group, ready to be connected.
 *
 * @param epoch number of the formation, the same on all ranks
 * @param rank this rank
 * @param members all ranks in rank order
 * @param settings of this rank; the fingerprint is the same on all ranks
 * @param fabric name of the fabric that all ranks use
 * @param sideChannel carries the metadata; closed by the engine
 * @param exchange what the ranks say over it
 * @param remainingNanos what is left of the formation deadline
 * @param elapsedNanos time since {@code join}, for the report
 */
public record Formation(
    long epoch,
    int rank,
    List<GroupMember> members,
    GroupSettings settings,
    String fabric,
    AllGather sideChannel,
    LinkExchange exchange,
    long remainingNanos,
    long elapsedNanos) {

  public Formation {
    members = List.copyOf(members);
  }

  /** Number of ranks. */
  public int size() {
    return members.size();
  }
}
