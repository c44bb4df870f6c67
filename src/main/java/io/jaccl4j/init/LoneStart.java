package io.jaccl4j.init;

import io.jaccl4j.AllGather;
import io.jaccl4j.Group;
import io.jaccl4j.GroupMember;
import io.jaccl4j.GroupSettings;
import io.jaccl4j.engine.Formation;
import io.jaccl4j.engine.LinkExchange;
import io.jaccl4j.fabric.LoneFabric;
import java.util.List;

/** A group of this process alone. */
final class LoneStart {
  private LoneStart() {}

  static Group form(GroupSettings settings) {
    AllGather alone = (contribution, timeoutNanos) -> List.of(contribution.clone());
    return EngineStart.form(
        List.of(),
        new Formation(
            1,
            0,
            List.of(new GroupMember(0, "this process", 0, "localhost")),
            settings,
            LoneFabric.NAME,
            alone,
            LinkExchange.OWN,
            settings.formationTimeout().toNanos(),
            0));
  }
}
