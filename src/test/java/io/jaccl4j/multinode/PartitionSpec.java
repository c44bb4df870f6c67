package io.jaccl4j.multinode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.jaccl4j.Group;
import io.jaccl4j.GroupHealth;
import io.jaccl4j.PeerLostException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * Nodes 1 and 2 do not hear each other: for less than the failure detector's patience, which nobody
 * notices, and for longer, both ways or one way.
 */
abstract class PartitionSpec extends NodeSpec {
  private static final NodeConfig NODES = new NodeConfig(3);

  /** The heartbeat pause, two intervals, the deviation, the reaper, and a busy machine. */
  private static final Duration NOTICED_WITHIN = Duration.ofSeconds(14);

  private static final int SHORT_SUMS = 20;

  private final boolean bothWays;

  PartitionSpec(boolean bothWays) {
    super(NODES);
    this.bothWays = bothWays;
  }

  @Test
  void shouldSurviveAShortPartitionAndFailEveryRankInALongOne() {
    startCluster(0, 1, 2);
    long firstEpoch;
    try (Group group = get(join("parted", 3))) {
      firstEpoch = group.epoch();
      barrier("formed");
      if (is(0)) {
        blackhole(1, 2, bothWays);
      }
      barrier("short partition");
      for (int i = 0; i < SHORT_SUMS; i++) {
        assertThat(sum(group, 1, 1000)).isEqualTo(3);
      }
      barrier("summed in spite of it");
      if (is(0)) {
        passThrough(1, 2, bothWays);
      }
      barrier("healed soon");
      assertThat(sum(group, 5, 1000)).isEqualTo(15);
      barrier("summed after it");

      if (is(0)) {
        blackhole(1, 2, bothWays);
      }
      barrier("long partition");
      long startNanos = System.nanoTime();
      Throwable lost = catchThrowable(() -> sumUntilItFails(group));
      long tookNanos = System.nanoTime() - startNanos;
      // Each side blames the other, and node 0 hears of it from either.
      assertThat(lost)
          .isInstanceOfSatisfying(
              PeerLostException.class,
              e -> {
                assertThat(e.address()).isIn(address(1).toString(), address(2).toString());
                assertThat(e.getMessage()).contains("allSum", "rank " + e.rank(), e.address());
              });
      assertThat(Duration.ofNanos(tookNanos)).isLessThan(NOTICED_WITHIN);
      assertThat(group.health()).isNotEqualTo(GroupHealth.READY);
      barrier("all have failed");
      if (is(0)) {
        passThrough(1, 2, bothWays);
      }
      barrier("healed at last");
    }
    awaitMembers(3);
    barrier("all are reachable");
    try (Group again = get(join("parted", 3))) {
      assertThat(again.epoch()).isGreaterThan(firstEpoch);
      assertThat(sum(again, again.rank(), 1000)).isEqualTo(3);
      barrier("summed again");
    }
  }
}
