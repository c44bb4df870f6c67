package io.jaccl4j.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.jaccl4j.FormationException;
import io.jaccl4j.Group;
import io.jaccl4j.GroupEvent;
import io.jaccl4j.GroupSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.BootstrapSetup;
import org.apache.pekko.actor.CoordinatedShutdown;
import org.apache.pekko.actor.setup.ActorSystemSetup;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.MemberStatus;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.cluster.typed.Down;
import org.apache.pekko.cluster.typed.Join;
import org.apache.pekko.cluster.typed.Leave;

/** Several cluster members in this JVM, each with fake engines. Member 0 is the oldest. */
final class TestCluster implements AutoCloseable {

  static final Duration PATIENCE = Duration.ofSeconds(20);

  private static final String CONFIG =
      """
      pekko {
        loglevel = WARNING
        loggers = ["org.apache.pekko.event.slf4j.Slf4jLogger"]
        actor {
          provider = cluster
          allow-java-serialization = off
          warn-about-java-serializer-usage = on
        }
        remote.artery {
          transport = tcp
          canonical { hostname = "127.0.0.1", port = 0 }
        }
        cluster {
          gossip-interval = 200ms
          leader-actions-interval = 200ms
          periodic-tasks-initial-delay = 300ms
          unreachable-nodes-reaper-interval = 500ms
          failure-detector.acceptable-heartbeat-pause = 2s
          downing-provider-class = "org.apache.pekko.cluster.sbr.SplitBrainResolverProvider"
          jmx.multi-mbeans-in-same-jvm = on
          shutdown-after-unsuccessful-join-seed-nodes = off
        }
        coordinated-shutdown {
          exit-jvm = off
          run-by-jvm-shutdown-hook = off
          run-by-actor-system-terminate = off
        }
      }
      jaccl4j {
        group.size = 2
        formation-timeout = 15s
        operation-timeout = 5s
        unreachable-timeout = 500ms
        side-channel.resend-interval = 50ms
      }
      """;

  private final List<Node> nodes = new ArrayList<>();

  /** One member. */
  static final class Node implements AutoCloseable {
    private final ActorSystem<Void> system;
    private final FakeEngines engines;
    private final JacclExtension jaccl;

    private Node(ActorSystem<Void> system, FakeEngines engines) {
      this.system = system;
      this.engines = engines;
      this.jaccl = JacclExtension.get(system);
    }

    ActorSystem<Void> system() {
      return system;
    }

    FakeEngines engines() {
      return engines;
    }

    JacclExtension jaccl() {
      return jaccl;
    }

    Cluster cluster() {
      return Cluster.get(system);
    }

    String address() {
      return cluster().selfMember().address().toString();
    }

    GroupSettings settings(String name, int size) {
      return jaccl.settings().withName(name).withSize(size);
    }

    Joined join(GroupSettings settings) {
      List<GroupEvent> events = new CopyOnWriteArrayList<>();
      return new Joined(this, jaccl.join(settings, events::add), events);
    }

    Joined join(String name, int size) {
      return join(settings(name, size));
    }

    /** Ends in good order, as a process does. */
    void shutDown() {
      CoordinatedShutdown.get(system).runAll(CoordinatedShutdown.unknownReason());
    }

    /** Ends at once, as a crash does. */
    @Override
    public void close() {
      system.terminate();
    }
  }

  /** One join of one member. */
  record Joined(Node node, CompletionStage<Group> answer, List<GroupEvent> events) {

    Group group() {
      try {
        return answer.toCompletableFuture().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      } catch (ExecutionException | TimeoutException | InterruptedException e) {
        throw new AssertionError("join on " + node.address() + " gave no group", e);
      }
    }

    FormationException failure() {
      try {
        Group group = answer.toCompletableFuture().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        throw new AssertionError("join on " + node.address() + " gave " + group);
      } catch (ExecutionException e) {
        assertThat(e.getCause()).isInstanceOf(FormationException.class);
        return (FormationException) e.getCause();
      } catch (TimeoutException | InterruptedException e) {
        throw new AssertionError("join on " + node.address() + " was not answered", e);
      }
    }

    FakeEngines.FakeEngine engine() {
      return node.engines().of(group());
    }
  }

  /** How the members of a cluster differ from the ordinary. */
  record Options(String config, List<FakeFabric> fabrics, UnaryOperator<Mail> wire) {
    static Options none() {
      return new Options(
          "", List.of(FakeFabric.reaching("this machine")), UnaryOperator.identity());
    }

    Options config(String text) {
      return new Options(text, fabrics, wire);
    }

    Options fabrics(FakeFabric... others) {
      return new Options(config, List.of(others), wire);
    }

    Options wire(UnaryOperator<Mail> other) {
      return new Options(config, fabrics, other);
    }
  }

  static TestCluster of(int members) {
    return of(IntStream.range(0, members).mapToObj(i -> Options.none()).toArray(Options[]::new));
  }

  static TestCluster of(Options... members) {
    TestCluster cluster = new TestCluster();
    for (Options options : members) {
      cluster.add(options);
    }
    return cluster;
  }

  /** One more member, up in every view when this returns. */
  Node add(Options options) {
    return admit(start(options));
  }

  /** A started member joins the cluster; up in every view when this returns. */
  Node admit(Node node) {
    Node first = nodes.isEmpty() ? node : nodes.getFirst();
    node.cluster().manager().tell(new Join(first.cluster().selfMember().address()));
    nodes.add(node);
    awaitUp();
    return node;
  }

  /** A member that has not joined the cluster. */
  static Node start(Options options) {
    FakeEngines engines = new FakeEngines();
    Config config = ConfigFactory.parseString(options.config()).withFallback(config());
    ActorSystemSetup setup =
        ActorSystemSetup.create(
            BootstrapSetup.create(config),
            new JacclSetup(engines, List.copyOf(options.fabrics()), options.wire()));
    return new Node(ActorSystem.create(Behaviors.<Void>empty(), "test", setup), engines);
  }

  static Config config() {
    return ConfigFactory.parseString(CONFIG).withFallback(ConfigFactory.load());
  }

  /** A member ends, however it fares; gone from every view when this returns. */
  void remove(Node node) {
    Address address = node.cluster().selfMember().address();
    node.close();
    nodes.remove(node);
    nodes.getFirst().cluster().manager().tell(new Down(address));
    awaitUp();
  }

  Node node(int index) {
    return nodes.get(index);
  }

  List<Node> first(int count) {
    return nodes.subList(0, count);
  }

  /** All of the first members join one group. */
  List<Joined> joinAll(int count, String group) {
    return first(count).stream().map(node -> node.join(group, count)).toList();
  }

  void leave(Node leaver) {
    leaver.cluster().manager().tell(new Leave(leaver.cluster().selfMember().address()));
  }

  void down(Node victim) {
    nodes.getFirst().cluster().manager().tell(new Down(victim.cluster().selfMember().address()));
  }

  private void awaitUp() {
    await("all members up in every view")
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(50))
        .untilAsserted(
            () ->
                assertThat(nodes)
                    .allSatisfy(node -> assertThat(upCount(node)).isEqualTo(nodes.size())));
  }

  private static long upCount(Node node) {
    return StreamSupport.stream(node.cluster().state().getMembers().spliterator(), false)
        .filter(member -> member.status().equals(MemberStatus.up()))
        .count();
  }

  @Override
  public void close() {
    nodes.forEach(Node::close);
    nodes.forEach(
        node ->
            await("system terminated")
                .atMost(PATIENCE)
                .until(() -> node.system().getWhenTerminated().toCompletableFuture().isDone()));
  }
}
