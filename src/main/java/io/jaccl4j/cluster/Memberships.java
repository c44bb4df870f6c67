package io.jaccl4j.cluster;

import io.jaccl4j.GroupSettings;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/** The joins of one member by the name of their group. Any thread. */
final class Memberships {

  /** Per name the join that counts: the latest, but for one that was refused beside another. */
  private final Map<String, MembershipRecord> current = new ConcurrentSkipListMap<>();

  /**
   * A join begins. It takes the place of an earlier one when that is over, or on its first event.
   */
  MembershipRecord begin(GroupSettings settings) {
    MembershipRecord record =
        new MembershipRecord(settings, begun -> current.put(settings.name(), begun));
    current.compute(
        settings.name(), (name, earlier) -> earlier == null || earlier.isOver() ? record : earlier);
    return record;
  }

  /** What is known of each group now. */
  List<Membership> now() {
    return current.values().stream().map(MembershipRecord::now).toList();
  }
}
