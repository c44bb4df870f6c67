package io.jaccl4j.multinode;

import static org.awaitility.Awaitility.await;

import io.jaccl4j.Dtype;
import io.jaccl4j.Group;
import io.jaccl4j.GroupSettings;
import io.jaccl4j.cluster.JacclExtension;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.StreamSupport;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.cluster.MemberStatus;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.cluster.typed.Join;
import org.apache.pekko.remote.testconductor.RoleName;
import org.apache.pekko.remote.testkit.MultiNodeSpec;
import org.apache.pekko.remote.transport.ThrottlerTransportAdapter;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import scala.concurrent.Await;
import scala.concurrent.Future;
import scala.concurrent.duration.FiniteDuration;
import scala.jdk.javaapi.CollectionConverters;

/**
 * What each node of a multi-node test runs. Subclass it with one constructor without parameters and
 * one {@code @Test} method; every node runs the same method and asks {@link #is} who it is. All
 * nodes pass the same {@link #barrier barriers} in the same order.
 *
 * <p>The node's actor system is a cluster member once {@link #startCluster} returns.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class NodeSpec extends MultiNodeSpec {
  /** Patience of every wait that has no bound of its own. */
  protected static final Duration PATIENCE = Duration.ofSeconds(30);

  /** Name of the actor systems: members of one cluster have the same. */
  protected static final String SYSTEM = "jaccl4j-multi-node";

  private final NodeConfig nodes;
  private Address[] addresses;

  /** A spec of so many nodes. */
  protected NodeSpec(NodeConfig nodes) {
    super(nodes, config -> org.apache.pekko.actor.ActorSystem.create(SYSTEM, config));
    this.nodes = nodes;
  }

  /** Called by the constructor of the superclass: fields are not there yet. */
  @Override
  public int initialParticipants() {
    return Integer.getInteger("multinode.max-nodes");
  }

  @BeforeAll
  final void beginNode() {
    multiNodeSpecBeforeAll();
  }

  @AfterAll
  final void endNode() {
    multiNodeSpecAfterAll();
  }

  /** This node's number. */
  protected final int number() {
    return Integer.parseInt(myself().name().substring("node".length()));
  }

  /** Whether this is one of these nodes. */
  protected final boolean is(int... numbers) {
    for (int number : numbers) {
      if (number == number()) {
        return true;
      }
    }
    return false;
  }

  /** Waits until all nodes that are left are here. */
  protected final void barrier(String name) {
    enterBarrier(CollectionConverters.asScala(List.of(name)).toSeq());
  }

  /** The typed view of the node's actor system. */
  protected final ActorSystem<Void> typed() {
    return Adapter.toTyped(system());
  }

  /** The address of a node's cluster member, also after its end. */
  protected final Address address(int number) {
    return addresses[number];
  }

  /** All of these nodes become members of one cluster, node 0 first. Every node calls it. */
  protected final void startCluster(int... members) {
    // While all are there: the conductor cannot tell the address of a node that has ended.
    addresses = new Address[nodes.count()];
    for (int node = 0; node < addresses.length; node++) {
      addresses[node] = node(role(node)).address();
    }
    Cluster cluster = Cluster.get(typed());
    if (is(0)) {
      cluster.manager().tell(Join.create(address(0)));
      awaitMembers(1);
    }
    barrier("first member is up");
    if (!is(0) && is(members)) {
      cluster.manager().tell(Join.create(address(0)));
    }
    if (is(members)) {
      awaitMembers(members.length);
    }
    barrier("members are up");
  }

  /** Waits until this node sees so many members up, and none that is unreachable. */
  protected final void awaitMembers(int count) {
    Cluster cluster = Cluster.get(typed());
    await("members of the cluster")
        .atMost(PATIENCE)
        .until(
            () ->
                cluster.state().getUnreachable().isEmpty()
                    && StreamSupport.stream(cluster.state().getMembers().spliterator(), false)
                            .filter(member -> member.status() == MemberStatus.up())
                            .count()
                        == count);
  }

  /** Joins a group of this node's member; wait with {@link #get}. */
  protected final CompletableFuture<Group> join(String name, int size) {
    return join(typed(), name, size);
  }

  /** Joins a group of another actor system of this node. */
  protected static CompletableFuture<Group> join(ActorSystem<?> system, String name, int size) {
    JacclExtension jaccl = JacclExtension.get(system);
    GroupSettings settings = jaccl.settings(name, size);
    return jaccl.join(settings).toCompletableFuture();
  }

  /** The sum over the ranks of {@code value}, as every element of a vector of this length. */
  protected static int sum(Group group, int value, int count) {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment data = arena.allocate(ValueLayout.JAVA_INT, count);
      for (int i = 0; i < count; i++) {
        data.setAtIndex(ValueLayout.JAVA_INT, i, value);
      }
      group.allSum(data, data, Dtype.INT32);
      int first = data.getAtIndex(ValueLayout.JAVA_INT, 0);
      for (int i = 1; i < count; i++) {
        if (data.getAtIndex(ValueLayout.JAVA_INT, i) != first) {
          throw new AssertionError(
              "element "
                  + i
                  + " is "
                  + data.getAtIndex(ValueLayout.JAVA_INT, i)
                  + ", want "
                  + first);
        }
      }
      return first;
    }
  }

  /** Runs operation after operation; returns by an exception alone. */
  protected static void sumUntilItFails(Group group) {
    long untilNanos = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() - untilNanos < 0) {
      sum(group, 1, 1000);
    }
    throw new AssertionError("no operation failed within " + PATIENCE.toSeconds() + " s");
  }

  /** Drops what one node sends to the other, or both send. Node 0 calls it. */
  protected final void blackhole(int from, int to, boolean bothWays) {
    get(testConductor().blackhole(role(from), role(to), direction(bothWays)));
  }

  /** Ends {@link #blackhole}. */
  protected final void passThrough(int from, int to, boolean bothWays) {
    get(testConductor().passThrough(role(from), role(to), direction(bothWays)));
  }

  /** Ends a node's JVM by {@code System.exit}. Node 0 calls it. */
  protected final void exit(int number, int code) {
    get(testConductor().exit(role(number), code));
  }

  /** Waits for a future of the conductor's. */
  protected static <T> T get(Future<T> future) {
    try {
      return Await.result(future, FiniteDuration.create(PATIENCE.toSeconds(), TimeUnit.SECONDS));
    } catch (InterruptedException | TimeoutException e) {
      throw new AssertionError("the conductor did not answer", e);
    }
  }

  /** Waits for a future; its failure is thrown wrapped, as {@code CompletableFuture} does. */
  protected static <T> T get(CompletableFuture<T> future) {
    return future.orTimeout(PATIENCE.toSeconds() + 5, TimeUnit.SECONDS).join();
  }

  private RoleName role(int number) {
    return nodes.node(number);
  }

  /**
   * The nested objects' own names are not visible to javac. Deprecated with Pekko's classic
   * transports, but the conductor takes nothing else.
   */
  @SuppressWarnings("deprecation")
  private static ThrottlerTransportAdapter.Direction direction(boolean bothWays) {
    return bothWays
        ? org.apache.pekko.remote.transport.ThrottlerTransportAdapter$Direction$Both$.MODULE$
        : org.apache.pekko.remote.transport.ThrottlerTransportAdapter$Direction$Send$.MODULE$;
  }
}
