package io.jaccl4j.fabric;

import io.jaccl4j.GroupMember;
import io.jaccl4j.GroupSettings;
import java.util.List;

/**
 * What a rank asks of a fabric.
 *
 * @param settings of the group
 * @param epoch number of the formation
 * @param rank this rank
 * @param members all ranks in rank order
 * @param wires all wires of the group, in the order of their numbers
 * @param sendSlots staging slots that the algorithms need
 * @param remainingNanos time until the group must be ready
 * @param calls told of every call into a driver
 */
public record FabricRequest(
    GroupSettings settings,
    long epoch,
    int rank,
    List<GroupMember> members,
    List<Wire> wires,
    int sendSlots,
    long remainingNanos,
    NativeCalls calls) {

  public FabricRequest {
    members = List.copyOf(members);
    wires = List.copyOf(wires);
  }

  /** Number of ranks. */
  public int size() {
    return members.size();
  }
}
