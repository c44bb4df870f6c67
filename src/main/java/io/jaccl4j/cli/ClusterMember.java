package io.jaccl4j.cli;

import com.typesafe.config.Config;
import io.jaccl4j.Group;
import io.jaccl4j.GroupEvent;
import io.jaccl4j.GroupSettings;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.pekko.actor.AddressFromURIString;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.cluster.typed.Join;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** This process as a member of a cluster, until it is closed. */
final class ClusterMember implements AutoCloseable {
  /** Part of every member's address, so it is the same in all commands. */
  static final String SYSTEM_NAME = "jaccl4j";

  private static final Logger log = LoggerFactory.getLogger(ClusterMember.class);
  private static final Duration LEAVE_TIMEOUT = Duration.ofSeconds(10);

  private final ActorSystem<Void> system;

  private ClusterMember(ActorSystem<Void> system) {
    this.system = system;
  }

  /** Starts an actor system; it joins the seed nodes of its configuration, if there are any. */
  static ClusterMember start(Config config) {
    return new ClusterMember(ActorSystem.create(Behaviors.empty(), SYSTEM_NAME, config));
  }

  ActorSystem<?> system() {
    return system;
  }

  String address() {
    return Cluster.get(system).selfMember().address().toString();
  }

  /** Joins the cluster of another member, or begins one with the own address. */
  void join(String address) {
    Cluster.get(system).manager().tell(Join.create(AddressFromURIString.parse(address)));
  }

  /** Calls back on an actor's thread when this member is up. */
  void onUp(Runnable callback) {
    org.apache.pekko.cluster.Cluster.get(system).registerOnMemberUp(callback);
  }

  /** The group settings in the configuration. */
  GroupSettings groupSettings() {
    return ClusterGroups.settings(system);
  }

  CompletionStage<Group> joinGroup(GroupSettings settings, Consumer<GroupEvent> listener) {
    return ClusterGroups.join(system, settings, listener);
  }

  /** Leaves the cluster in good order and stops the actor system. */
  @Override
  public void close() {
    system.terminate();
    try {
      system
          .getWhenTerminated()
          .toCompletableFuture()
          .get(LEAVE_TIMEOUT.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      log.warn("Still leaving the cluster after [{}], ending without", LEAVE_TIMEOUT);
    } catch (ExecutionException e) {
      log.warn("Leaving the cluster failed", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
