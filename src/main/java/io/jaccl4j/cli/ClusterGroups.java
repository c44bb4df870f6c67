package io.jaccl4j.cli;

import io.jaccl4j.Group;
import io.jaccl4j.GroupEvent;
import io.jaccl4j.GroupSettings;
import io.jaccl4j.cluster.JacclExtension;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.ActorSystem;

/** How the commands come to a group: the only contact with the cluster package. */
final class ClusterGroups {

  private ClusterGroups() {}

  /** The settings in the system's configuration. */
  static GroupSettings settings(ActorSystem<?> system) {
    return JacclExtension.get(system).settings();
  }

  static CompletionStage<Group> join(
      ActorSystem<?> system, GroupSettings settings, Consumer<GroupEvent> listener) {
    return JacclExtension.get(system).join(settings, listener);
  }
}
