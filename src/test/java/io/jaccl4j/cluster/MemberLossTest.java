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
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A third member goes, each time another one. */
class MemberLossTest {

  private static TestCluster cluster;

  private Node victim;

  @BeforeAll
  static void startSurvivors() {
    cluster = TestCluster.of(2);
  }

  @AfterAll
  static void stopSurvivors() {
    cluster.close();
  }

  @BeforeEach
  void startVictim() {
    victim = cluster.add(Options.none());
  }

  @AfterEach
  void removeVictim() {
    cluster.remove(victim);
  }

  @Test
  void shouldNameRankAndAddressOfMemberThatDies() {
    List<Joined> joined = formed();
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

    cluster.down(victim);

    assertThat(failureOf(joined.get(0)).kind()).isEqualTo(GroupFailure.Kind.PEER_LOST);
    assertThat(failureOf(joined.get(1)).rank()).isEqualTo(2);
    assertThat(failureOf(joined.get(2)).kind()).isEqualTo(GroupFailure.Kind.EXCLUDED);
  }

  @Test
  void shouldCloseGroupBeforeLeavingWhenSystemShutsDown() {
    List<Joined> joined = formed();

    victim.shutDown();

    for (Joined each : joined.subList(0, 2)) {
      await()
          .atMost(TestCluster.PATIENCE)
          .untilAsserted(() -> assertThat(each.engine().leavers()).containsEntry(2, 7L));
    }
    await()
        .atMost(TestCluster.PATIENCE)
        .until(() -> victim.system().getWhenTerminated().toCompletableFuture().isDone());
    assertThat(joined.subList(0, 2)).noneMatch(each -> each.engine().ended());
  }

  @Test
  void shouldLoseMemberThatLeavesClusterWithoutClosing() {
    List<Joined> joined = formed();

    cluster.leave(victim);

    for (Joined each : joined.subList(0, 2)) {
      GroupFailure failure = failureOf(each);
      assertThat(failure.rank()).isEqualTo(2);
      assertThat(failure.detail()).contains("left the cluster");
    }
  }

  @Test
  void shouldFailJoinNamingRankWhenPeerDiesBeforeReady() {
    victim.engines().neverGather();
    List<Joined> joined = cluster.joinAll(3, "unready");
    await().atMost(TestCluster.PATIENCE).until(() -> !victim.engines().created().isEmpty());

    victim.close();

    FormationException failure = joined.getFirst().failure();
    assertThat(failure.reason()).isEqualTo(FormationException.Reason.PEER_FAILED);
    assertThat(failure).hasMessageContaining("rank 2 (" + victim.address() + ")");
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
    cluster.remove(outside);
  }

  private List<Joined> formed() {
    List<Joined> joined =
        cluster.joinAll(3, "with" + victim.cluster().selfMember().uniqueAddress().longUid());
    joined.forEach(Joined::group);
    return joined;
  }

  private static GroupFailure failureOf(Joined joined) {
    await().atMost(TestCluster.PATIENCE).until(() -> joined.engine().failure().isPresent());
    return joined.engine().failure().orElseThrow();
  }
}
