package io.jaccl4j.multinode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.jaccl4j.Group;
import io.jaccl4j.PeerLostException;
import org.apache.pekko.actor.CoordinatedShutdown;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.MemberStatus;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.cluster.typed.Join;
import org.junit.jupiter.api.Test;

/**
 * All ranks are restarted one after the other. A rank is a second actor system of its node; the
 * first ones are members that stay, so that there is always a cluster to join.
 */
class RollingRestartSpec extends NodeSpec {
  private static final NodeConfig NODES = new NodeConfig(3);

  private ActorSystem<?> rank;
  private Group group;

  RollingRestartSpec() {
    super(NODES);
  }

  @Test
  void shouldFormAGroupAgainAfterEveryRestart() {
    startCluster(0, 1, 2);
    start();
    barrier("ranks are up");
    long epoch = form();
    for (int restarted = 0; restarted < NODES.count(); restarted++) {
      barrier("before restart of " + restarted);
      if (is(restarted)) {
        stop();
        start();
      } else {
        Throwable lost = catchThrowable(() -> sumUntilItFails(group));
        assertThat(lost).isInstanceOf(PeerLostException.class).hasMessageContaining("left");
        group.close();
      }
      barrier("after restart of " + restarted);
      long next = form();
      assertThat(next).isGreaterThan(epoch);
      epoch = next;
    }
    barrier("all were restarted");
    stop();
  }

  private void start() {
    rank = ActorSystem.create(Behaviors.empty(), SYSTEM, NodeConfig.common());
    Cluster cluster = Cluster.get(rank);
    cluster.manager().tell(Join.create(address(0)));
    await("the rank is a member")
        .atMost(PATIENCE)
        .until(() -> cluster.selfMember().status() == MemberStatus.up());
  }

  private void stop() {
    get(
        CoordinatedShutdown.get(rank)
            .runAll(CoordinatedShutdown.actorSystemTerminateReason())
            .toCompletableFuture());
  }

  private long form() {
    group = get(join(rank, "rolling", NODES.count()));
    assertThat(sum(group, group.rank(), 1000)).isEqualTo(3);
    return group.epoch();
  }
}
