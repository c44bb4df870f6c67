package io.jaccl4j.multinode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.jaccl4j.Group;
import io.jaccl4j.PeerLostException;
import java.time.Duration;
import org.apache.pekko.cluster.typed.Cluster;
import org.junit.jupiter.api.Test;

/**
 * What the others say to node 2 comes slowly: fast enough for the cluster, which nobody notices,
 * then too slowly for its heartbeats.
 */
class ThrottleSpec extends NodeSpec {
  private static final NodeConfig NODES = NodeConfig.relayed(3);
  private static final int SLOW = 2;
  private static final int SUMS = 20;

  /** Some times what heartbeats, gossip and the metadata of a group take. */
  private static final long ENOUGH_BYTES_PER_SECOND = 64_000;

  /** Less than a heartbeat of each peer. */
  private static final long TOO_FEW_BYTES_PER_SECOND = 100;

  /** The heartbeat pause, two intervals, the deviation, the reaper, and a busy machine. */
  private static final Duration NOTICED_WITHIN = Duration.ofSeconds(14);

  ThrottleSpec() {
    super(NODES);
  }

  @Test
  void shouldFormOverASlowWayAndFailWhenItIsTooSlow() {
    startCluster(0, 1, SLOW);
    limit(ENOUGH_BYTES_PER_SECOND);
    barrier("slow");
    long firstEpoch;
    try (Group group = get(join("throttled", 3))) {
      firstEpoch = group.epoch();
      for (int i = 0; i < SUMS; i++) {
        assertThat(sum(group, i, 1000)).isEqualTo(3 * i);
      }
      assertThat(Cluster.get(typed()).state().getUnreachable()).isEmpty();
      if (is(SLOW)) {
        assertThat(NODES.relay().delayedNanos()).isPositive();
      }
      barrier("summed over the slow way");

      limit(TOO_FEW_BYTES_PER_SECOND);
      barrier("too slow");
      long startNanos = System.nanoTime();
      Throwable lost = catchThrowable(() -> sumUntilItFails(group));
      assertThat(Duration.ofNanos(System.nanoTime() - startNanos)).isLessThan(NOTICED_WITHIN);
      assertThat(lost)
          .isInstanceOfSatisfying(
              PeerLostException.class,
              e -> assertThat(e.getMessage()).contains("allSum", "rank " + e.rank(), e.address()));
      barrier("all have failed");
      limit(NodeRelay.UNLIMITED);
      barrier("fast again");
    }
    awaitMembers(3);
    barrier("all are reachable");
    try (Group again = get(join("throttled", 3))) {
      assertThat(again.epoch()).isGreaterThan(firstEpoch);
      assertThat(sum(again, again.rank(), 1000)).isEqualTo(3);
      barrier("summed again");
    }
  }

  private void limit(long bytesPerSecond) {
    if (is(SLOW)) {
      NODES.relay().limit(bytesPerSecond);
    }
  }
}
