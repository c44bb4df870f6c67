package io.jaccl4j.fabric;

import io.jaccl4j.GroupMember;
import io.jaccl4j.GroupSettings;
import java.util.List;

/**
 * What a rank asks of a fabric.
 *
 * @param group name of the group
 * @param epoch number of the formation
 * @param rank this rank
 * @param members all ranks in rank order
 * @param wires all wires of the group, in the order of their numbers
 * @param memory sizes and places
 * @param sendSlots staging slots that the algorithms need
 */
public record FabricRequest(
    String group,
    long epoch,
    int rank,
    List<GroupMember> members,
    List<Wire> wires,
    GroupSettings.Memory memory,
    int sendSlots) {

  public FabricRequest {
    members = List.copyOf(members);
    wires = List.copyOf(wires);
  }

  /** Number of ranks. */
  public int size() {
    return members.size();
  }
}
