package io.jaccl4j;

import java.util.List;

/**
 * What happens while a group forms and lives, for progress output and logs. Delivered in order on a
 * thread of the library: a listener must return at once and must not throw.
 */
public sealed interface GroupEvent {

  /**
   * The set of candidates changed, or time passed while waiting for more.
   *
   * @param present addresses of the candidates seen, this member included
   * @param size ranks needed
   * @param waitedNanos time since {@code join}
   */
  record Gathering(List<String> present, int size, long waitedNanos) implements GroupEvent {}

  /**
   * Ranks are assigned and every rank has agreed to the same table.
   *
   * @param epoch number of the formation
   * @param rank this member's rank
   * @param members all ranks, in rank order
   */
  record RanksAssigned(long epoch, int rank, List<GroupMember> members) implements GroupEvent {}

  /**
   * All links of this rank are up.
   *
   * @param fabric name of the fabric
   * @param links how many
   * @param description for people: fabric, memory, number of links
   */
  record LinksUp(String fabric, int links, String description) implements GroupEvent {}

  /**
   * Operations can be submitted.
   *
   * @param epoch number of the formation
   * @param formationNanos time since {@code join}
   */
  record Ready(long epoch, long formationNanos) implements GroupEvent {}

  /**
   * An operation has waited for a peer longer than {@code jaccl4j.slow-peer-warning}. It still goes
   * on.
   *
   * @param operation name of the operation
   * @param sequence its number in the group
   * @param awaited what it waits for
   * @param waitedNanos how long it has waited
   */
  record SlowPeer(String operation, long sequence, String awaited, long waitedNanos)
      implements GroupEvent {}

  /**
   * The group failed; the cause is the first one.
   *
   * @param failure the first cause
   */
  record Failed(GroupFailure failure) implements GroupEvent {}

  /** The group was closed by this rank. */
  record Closed() implements GroupEvent {}
}
