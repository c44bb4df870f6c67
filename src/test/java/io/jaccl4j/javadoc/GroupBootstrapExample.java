package io.jaccl4j.javadoc;

import io.jaccl4j.Group;
import io.jaccl4j.GroupSettings;
import io.jaccl4j.cluster.JacclExtension;
import io.jaccl4j.management.GroupBootstrap;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.typed.ActorSystem;

/** For {@link GroupBootstrap}. */
final class GroupBootstrapExample {
  private GroupBootstrapExample() {}

  static CompletionStage<Group> join(ActorSystem<?> system) {
    // @start region="bootstrap"
    JacclExtension jaccl = JacclExtension.get(system);
    GroupSettings settings = jaccl.settings();
    // Refuses a configuration with which a few ranks could begin a cluster of their own.
    GroupBootstrap bootstrap = GroupBootstrap.of(system, settings.size());
    CompletionStage<Group> group = bootstrap.start().thenCompose(endpoint -> jaccl.join(settings));
    // @end
    return group;
  }
}
