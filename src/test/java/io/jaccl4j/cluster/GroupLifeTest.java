package io.jaccl4j.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.jaccl4j.FormationException;
import io.jaccl4j.Group;
import io.jaccl4j.GroupEvent;
import io.jaccl4j.GroupFailure;
import io.jaccl4j.cluster.TestCluster.Joined;
import io.jaccl4j.cluster.TestCluster.Node;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** How groups end, and begin again, on a healthy cluster. */
class GroupLifeTest {

  private static TestCluster cluster;

  @BeforeAll
  static void startCluster() {
    cluster = TestCluster.of(3);
  }

  @AfterAll
  static void stopCluster() {
    cluster.close();
  }

  @Test
  void shouldFailEveryRankWithFirstCause() {
    List<Joined> joined = cluster.joinAll(3, "fails");
    joined.forEach(Joined::group);
    GroupFailure cause =
        new GroupFailure(
            GroupFailure.Kind.OPERATION_TIMEOUT, 2, "pekko://somewhere", 1, "rank 2 is late");

    joined.get(1).engine().abort(cause);

    for (Joined each : joined) {
      await()
          .atMost(TestCluster.PATIENCE)
          .untilAsserted(() -> assertThat(each.engine().failure()).contains(cause));
      await()
          .atMost(TestCluster.PATIENCE)
          .untilAsserted(() -> assertThat(each.events()).contains(new GroupEvent.Failed(cause)));
    }
  }

  @Test
  void shouldTellPeersWhenRankClosesGroup() {
    List<Joined> joined = cluster.joinAll(3, "closes");
    joined.forEach(Joined::group);

    joined.get(2).group().close();

    for (Joined each : joined.subList(0, 2)) {
      await()
          .atMost(TestCluster.PATIENCE)
          .untilAsserted(() -> assertThat(each.engine().leavers()).containsEntry(2, 7L));
      assertThat(each.engine().ended()).isFalse();
    }
    await()
        .atMost(TestCluster.PATIENCE)
        .untilAsserted(() -> assertThat(joined.get(2).events()).contains(new GroupEvent.Closed()));
  }

  @Test
  void shouldFormAgainWithHigherEpochAfterFailure() {
    List<Joined> first = cluster.joinAll(3, "again");
    first.forEach(Joined::group);
    long epoch = first.getFirst().group().epoch();
    GroupFailure cause = new GroupFailure(GroupFailure.Kind.INTERNAL, -1, "", 0, "for the test");
    first.getFirst().engine().abort(cause);
    first.forEach(each -> await().atMost(TestCluster.PATIENCE).until(() -> each.engine().ended()));

    List<Joined> second = cluster.joinAll(3, "again");

    assertThat(second).extracting(each -> each.group().epoch()).containsOnly(epoch + 1);
  }

  @Test
  void shouldFormAgainAtOnceAfterClose() {
    for (int epoch = 1; epoch <= 3; epoch++) {
      List<Group> groups = cluster.joinAll(3, "reuse").stream().map(Joined::group).toList();
      long expected = epoch;
      assertThat(groups).allMatch(group -> group.epoch() == expected);
      groups.forEach(Group::close);
    }
  }

  @Test
  void shouldNotBeHarmedByListenerThatThrows() {
    Node node = cluster.node(0);

    CompletionStage<Group> joined =
        node.jaccl()
            .join(
                node.settings("rude", 1),
                event -> {
                  throw new IllegalStateException("for the test");
                });

    assertThat(joined.toCompletableFuture().join().size()).isOne();
  }

  @Test
  void shouldNameRankWhoseMetadataIsMissingAtDeadline() {
    cluster.node(2).engines().neverGather();
    try {
      List<Joined> joined =
          cluster.first(3).stream()
              .map(
                  node ->
                      node.join(
                          node.settings("mute", 3).withFormationTimeout(Duration.ofSeconds(2))))
              .toList();

      assertThat(joined.getFirst().failure())
          .hasMessageContaining("metadata exchange, round 0")
          .hasMessageContaining("rank 2 (" + cluster.node(2).address() + ")");
      assertThat(joined.get(2).failure().reason()).isEqualTo(FormationException.Reason.PEER_FAILED);
    } finally {
      cluster.node(2).engines().gatherAgain();
    }
  }

  @Test
  void shouldLoseRankThatJoinsAgainWhileOthersStillWork() {
    List<Joined> joined = cluster.joinAll(2, "deserter");
    joined.forEach(Joined::group);
    joined.get(1).engine().abort(new GroupFailure(GroupFailure.Kind.FABRIC, 0, "", 1, "cable"));
    cluster.node(1).join("deserter", 2);

    await().atMost(TestCluster.PATIENCE).until(() -> joined.getFirst().engine().ended());
    assertThat(joined.getFirst().engine().failure()).isPresent();
  }

  @Test
  void shouldFailJoinOfEveryRankWhenOneEngineFails() {
    List<Joined> joined = cluster.joinAll(1, "solo-warm-up");
    joined.forEach(Joined::group);
    cluster
        .node(1)
        .engines()
        .contribute(
            formation -> {
              throw new FormationException(FormationException.Reason.FABRIC, "no such device");
            });
    try {
      List<Joined> failing = cluster.joinAll(2, "broken");

      assertThat(failing.get(1).failure()).hasMessageContaining("no such device");
      assertThat(failing.get(0).failure())
          .hasMessageContaining("rank 1 (" + cluster.node(1).address() + ") reports: ")
          .hasMessageContaining("no such device")
          .extracting(FormationException::reason)
          .isEqualTo(FormationException.Reason.PEER_FAILED);
    } finally {
      cluster.node(1).engines().contribute(FakeEngines::destination);
    }
  }
}
