package io.jaccl4j.lifecycle;

import static java.util.concurrent.TimeUnit.SECONDS;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.jaccl4j.Group;
import io.jaccl4j.GroupSettings;
import io.jaccl4j.cluster.JacclExtension;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.apache.pekko.Done;
import org.apache.pekko.actor.CoordinatedShutdown;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.cluster.typed.Join;

/** Two actor systems of this JVM that are one cluster, and both members of every group. */
final class TwoMembers {
  static final int SIZE = 2;

  private static final long PATIENCE_SECONDS = 30;

  private static final String CONFIG =
      """
      pekko {
        loglevel = WARNING
        loggers = ["org.apache.pekko.event.slf4j.Slf4jLogger"]
        log-dead-letters = off
        log-dead-letters-during-shutdown = off
        actor { provider = cluster, allow-java-serialization = off }
        remote.artery {
          transport = tcp
          canonical { hostname = "127.0.0.1", port = 0 }
        }
        cluster {
          gossip-interval = 50ms
          leader-actions-interval = 50ms
          periodic-tasks-initial-delay = 50ms
          unreachable-nodes-reaper-interval = 200ms
          jmx.multi-mbeans-in-same-jvm = on
          downing-provider-class = "org.apache.pekko.cluster.sbr.SplitBrainResolverProvider"
        }
        coordinated-shutdown {
          exit-jvm = off
          run-by-jvm-shutdown-hook = off
          phases {
            cluster-leave.timeout = 2s
            cluster-exiting.timeout = 1s
            cluster-exiting-done.timeout = 500ms
            # How long it waits for an actor that never stops, as one that has called System.exit.
            actor-system-terminate.timeout = 2s
          }
        }
      }
      jaccl4j {
        group.size = 2
        formation-timeout = 20s
        operation-timeout = 10s
        memory.registered-bytes = 1 MiB
        side-channel.resend-interval = 50ms
      }
      """;

  private final List<ActorSystem<Void>> systems = new ArrayList<>();
  private final List<List<Group>> groups = List.of(new ArrayList<>(), new ArrayList<>());
  private final UnaryOperator<GroupSettings> adapted;

  private TwoMembers(UnaryOperator<GroupSettings> adapted) {
    this.adapted = adapted;
  }

  /**
   * Starts a cluster.
   *
   * @param terminateRunsShutdown whether {@code terminate} is a coordinated shutdown
   * @param adapted what all groups' settings have in common
   */
  static TwoMembers start(boolean terminateRunsShutdown, UnaryOperator<GroupSettings> adapted) {
    TwoMembers members = new TwoMembers(adapted);
    Config config =
        ConfigFactory.defaultOverrides()
            .withFallback(
                ConfigFactory.parseString(
                    "pekko.coordinated-shutdown.run-by-actor-system-terminate = "
                        + terminateRunsShutdown))
            .withFallback(ConfigFactory.parseString(CONFIG))
            .withFallback(ConfigFactory.load());
    for (int member = 0; member < SIZE; member++) {
      ActorSystem<Void> system = ActorSystem.create(Behaviors.empty(), "lifecycle", config);
      members.systems.add(system);
      Cluster.get(system)
          .manager()
          .tell(new Join(Cluster.get(members.systems.getFirst()).selfMember().address()));
    }
    return members;
  }

  ActorSystem<Void> system(int member) {
    return systems.get(member);
  }

  /** A member asks for a group. */
  CompletionStage<Group> join(int member, String name) {
    JacclExtension jaccl = JacclExtension.get(system(member));
    return jaccl.join(adapted.apply(jaccl.settings(name, SIZE)));
  }

  /** Both members form a group, over a fabric. */
  void form(String name) {
    List<CompletionStage<Group>> joined =
        IntStream.range(0, SIZE).mapToObj(member -> join(member, name)).toList();
    for (int member = 0; member < SIZE; member++) {
      groups.get(member).add(get(joined.get(member)));
    }
  }

  /** The groups of a member, in the order of their forming. */
  List<Group> groups(int member) {
    return groups.get(member);
  }

  void close(int member) {
    groups(member).forEach(Group::close);
  }

  /** A coordinated shutdown, to its end. */
  CompletionStage<Done> shutDown(int member) {
    return CoordinatedShutdown.get(system(member)).runAll(CoordinatedShutdown.unknownReason());
  }

  CompletionStage<Done> terminate(int member) {
    system(member).terminate();
    return system(member).getWhenTerminated();
  }

  static <T> T get(CompletionStage<T> stage) {
    CompletableFuture<T> future = stage.toCompletableFuture();
    try {
      return future.get(PATIENCE_SECONDS, SECONDS);
    } catch (ExecutionException | TimeoutException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
