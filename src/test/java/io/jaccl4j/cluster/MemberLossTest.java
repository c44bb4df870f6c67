package io.jaccl4j.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.jaccl4j.FormationException;
import io.jaccl4j.GroupEvent;
import io.jaccl4j.GroupFailure;
import io.jaccl4j.cluster.TestCluster.Joined;
import io.jaccl4j.cluster.TestCluster.Node;
import io.jaccl4j.cluster.TestCluster.Options;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Members that go, each on a cluster of its own. */
class MemberLossTest {

  private TestCluster cluster;

  @BeforeEach
  void startCluster() {
    cluster = TestCluster.of(3);
  }

  @AfterEach
  void stopCluster() {
    cluster.close();
  }

  @Test
  void shouldNameRankAndAddressOfMemberThatDies() {
    List<Joined> joined = formed();
    Node victim = cluster.node(2);
    String address = victim.address();

    victim.close();

    for (int rank = 0; rank < 2; rank++) {
      GroupFailure failure = failureOf(joined.get(rank));
      assertThat(failure.kind()).isEqualTo(GroupFailure.Kind.PEER_LOST);
      assertThat(failure.rank()).isEqualTo(2);
      assertThat(failure.address()).isEqualTo(address);
      assertThat(failure.detail()).contains("rank 2 (" + address + ")");
    }
  }

  @Test
  void shouldLoseMemberThatIsDownedAndTellItSo() {
    List<Joined> joined = formed();

    cluster.down(cluster.node(2));

    assertThat(failureOf(joined.get(0)).kind()).isEqualTo(GroupFailure.Kind.PEER_LOST);
    assertThat(failureOf(joined.get(1)).rank()).isEqualTo(2);
    assertThat(failureOf(joined.get(2)).kind()).isEqualTo(GroupFailure.Kind.EXCLUDED);
  }

  @Test
  void shouldCloseGroupBeforeLeavingWhenSystemShutsDown() {
    List<Joined> joined = formed();

    cluster.node(1).shutDown();

    for (int rank : List.of(0, 2)) {
      Joined each = joined.get(rank);
      await()
          .atMost(TestCluster.PATIENCE)
          .untilAsserted(() -> assertThat(each.engine().leavers()).containsEntry(1, 7L));
    }
    await()
        .atMost(TestCluster.PATIENCE)
        .until(() -> cluster.node(1).system().getWhenTerminated().toCompletableFuture().isDone());
    assertThat(joined.get(0).engine().ended()).isFalse();
    assertThat(joined.get(2).engine().ended()).isFalse();
  }

  @Test
  void shouldLoseMemberThatLeavesClusterWithoutClosing() {
    List<Joined> joined = formed();

    cluster.leave(cluster.node(1));

    for (int rank : List.of(0, 2)) {
      GroupFailure failure = failureOf(joined.get(rank));
      assertThat(failure.rank()).isEqualTo(1);
      assertThat(failure.detail()).contains("left the cluster");
    }
  }

  @Test
  void shouldFailJoinNamingRankWhenPeerDiesBeforeReady() {
    Node silent = cluster.node(2);
    silent.engines().neverGather();
    List<Joined> joined = cluster.joinAll(3, "unready");
    await().atMost(TestCluster.PATIENCE).until(() -> !silent.engines().created().isEmpty());

    silent.close();

    FormationException failure = joined.getFirst().failure();
    assertThat(failure.reason()).isEqualTo(FormationException.Reason.PEER_FAILED);
    assertThat(failure).hasMessageContaining("rank 2 (" + silent.address() + ")");
    assertThat(joined.get(2).failure().reason()).isEqualTo(FormationException.Reason.STOPPED);
  }

  @Test
  void shouldCountCandidateOnceItsMemberIsUp() {
    Node outside = TestCluster.start(Options.none());
    Joined early = outside.join("early", 2);
    Joined inside = cluster.node(0).join("early", 2);
    await()
        .atMost(TestCluster.PATIENCE)
        .until(() -> inside.events().stream().anyMatch(GroupEvent.Gathering.class::isInstance));

    cluster.admit(outside);

    assertThat(inside.group().rank()).isZero();
    assertThat(early.group().rank()).isOne();
  }

  private List<Joined> formed() {
    List<Joined> joined = cluster.joinAll(3, "losses");
    joined.forEach(Joined::group);
    return joined;
  }

  private static GroupFailure failureOf(Joined joined) {
    await().atMost(TestCluster.PATIENCE).until(() -> joined.engine().failure().isPresent());
    return joined.engine().failure().orElseThrow();
  }
}
