package io.jaccl4j.management;

import io.jaccl4j.cluster.JacclExtension;
import io.jaccl4j.cluster.Membership;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Adapter;

/**
 * Liveness check of Pekko Management: no engine thread has died or is stuck in a driver, which only
 * a new process cures. A group that forms or has failed is no reason to be killed.
 */
public final class EngineLiveness implements Supplier<CompletionStage<Boolean>> {

  private final JacclExtension jaccl;

  /**
   * Made by Pekko Management.
   *
   * @param system the actor system
   */
  public EngineLiveness(ActorSystem system) {
    this.jaccl = JacclExtension.get(Adapter.toTyped(system));
  }

  @Override
  public CompletionStage<Boolean> get() {
    return CompletableFuture.completedStage(
        jaccl.memberships().stream().allMatch(Membership::engineAlive));
  }
}
