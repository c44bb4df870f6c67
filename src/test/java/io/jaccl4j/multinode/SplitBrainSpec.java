package io.jaccl4j.multinode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.jaccl4j.FormationException;
import io.jaccl4j.Group;
import io.jaccl4j.PeerLostException;
import java.util.concurrent.CompletionException;
import java.util.stream.StreamSupport;
import org.apache.pekko.cluster.MemberStatus;
import org.apache.pekko.cluster.typed.Cluster;
import org.junit.jupiter.api.Test;

/**
 * A partition that lasts: the resolver downs the smaller half. That one's group has failed and it
 * forms no other; the larger half forms a group anew, whose ranks share no memory with the old one.
 */
class SplitBrainSpec extends NodeSpec {
  /** The node that is alone. */
  private static final int MINORITY = 2;

  /** A node that was downed stays, so that it can be asked. */
  private static final NodeConfig NODES =
      NodeConfig.configured(
          3,
          """
          pekko.cluster.split-brain-resolver.stable-after = 3s
          pekko.cluster.run-coordinated-shutdown-when-down = off
          jaccl4j.formation-timeout = 15s
          """);

  SplitBrainSpec() {
    super(NODES);
  }

  @Test
  void shouldGoOnInTheLargerHalfAlone() {
    startCluster(0, 1, MINORITY);
    long firstEpoch;
    try (Group group = get(join("split", 3))) {
      firstEpoch = group.epoch();
      assertThat(sum(group, 1, 1000)).isEqualTo(3);
      barrier("summed");
      if (is(0)) {
        blackhole(0, MINORITY, true);
        blackhole(1, MINORITY, true);
      }
      barrier("split");
      assertThat(catchThrowable(() -> sumUntilItFails(group)))
          .isInstanceOf(PeerLostException.class);
      barrier("all have failed");
    }
    if (is(MINORITY)) {
      awaitDowned();
      assertThat(catchThrowable(() -> get(join("split", 2))))
          .isInstanceOf(CompletionException.class)
          .hasCauseInstanceOf(FormationException.class);
    } else {
      awaitMembers(2);
      try (Group again = get(join("split", 2))) {
        assertThat(again.epoch()).isGreaterThan(firstEpoch);
        assertThat(again.members())
            .extracting(member -> member.address())
            .containsExactlyInAnyOrder(address(0).toString(), address(1).toString());
        assertThat(sum(again, again.rank() + 1, 1000)).isEqualTo(3);
      }
    }
    barrier("all know");
  }

  private void awaitDowned() {
    Cluster cluster = Cluster.get(typed());
    await("this node is out")
        .atMost(PATIENCE)
        .until(
            () ->
                cluster.isTerminated()
                    || StreamSupport.stream(cluster.state().getMembers().spliterator(), false)
                        .filter(
                            member ->
                                member.uniqueAddress().equals(cluster.selfMember().uniqueAddress()))
                        .noneMatch(member -> member.status() == MemberStatus.up()));
  }
}
