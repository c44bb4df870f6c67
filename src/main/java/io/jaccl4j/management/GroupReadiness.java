package io.jaccl4j.management;

import io.jaccl4j.cluster.JacclExtension;
import io.jaccl4j.cluster.Membership;
import io.jaccl4j.cluster.Membership.Stage;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Adapter;

/**
 * Readiness check of Pekko Management: this member is in a group, and every group that it has not
 * closed itself is ready.
 */
public final class GroupReadiness implements Supplier<CompletionStage<Boolean>> {

  private final JacclExtension jaccl;

  /**
   * Made by Pekko Management.
   *
   * @param system the actor system
   */
  public GroupReadiness(ActorSystem system) {
    this.jaccl = JacclExtension.get(Adapter.toTyped(system));
  }

  @Override
  public CompletionStage<Boolean> get() {
    return CompletableFuture.completedStage(isReady(jaccl.memberships()));
  }

  static boolean isReady(List<Membership> memberships) {
    List<Stage> stages =
        memberships.stream().map(Membership::stage).filter(stage -> stage != Stage.CLOSED).toList();
    return !stages.isEmpty() && stages.stream().allMatch(Stage.READY::equals);
  }
}
