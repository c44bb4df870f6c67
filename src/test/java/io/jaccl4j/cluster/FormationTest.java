package io.jaccl4j.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.jaccl4j.FormationException;
import io.jaccl4j.FormationException.Reason;
import io.jaccl4j.Group;
import io.jaccl4j.GroupEvent;
import io.jaccl4j.GroupMember;
import io.jaccl4j.GroupSettings;
import io.jaccl4j.cluster.TestCluster.Joined;
import io.jaccl4j.cluster.TestCluster.Node;
import io.jaccl4j.cluster.TestCluster.Options;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Forming on a healthy cluster of five; every test uses a group name of its own. */
class FormationTest {

  private static TestCluster cluster;

  @BeforeAll
  static void startCluster() {
    Options worker = Options.none().config("pekko.cluster.roles = [worker]");
    Options other =
        Options.none()
            .config("pekko.cluster.roles = [observer]")
            .fabrics(
                FakeFabric.reaching("another machine"), new FakeFabric("cable", "", "no device"));
    cluster = TestCluster.of(worker, worker, worker, Options.none(), other);
  }

  @AfterAll
  static void stopCluster() {
    cluster.close();
  }

  @Test
  void shouldGiveSameTableToEveryRankOldestMemberFirst() {
    List<Joined> joined = cluster.joinAll(4, "table");

    List<GroupMember> table = joined.getFirst().group().members();
    assertThat(table)
        .extracting(GroupMember::address)
        .containsExactlyElementsOf(cluster.first(4).stream().map(Node::address).toList());
    for (int rank = 0; rank < 4; rank++) {
      Group group = joined.get(rank).group();
      assertThat(group.rank()).isEqualTo(rank);
      assertThat(group.epoch()).isEqualTo(1);
      assertThat(group.members()).isEqualTo(table);
    }
  }

  @Test
  void shouldReportPhasesInOrder() {
    Joined joined = cluster.joinAll(2, "phases").getFirst();
    joined.group();

    assertThat(joined.events())
        .<Class<?>>map(Object::getClass)
        .containsSubsequence(
            GroupEvent.Gathering.class,
            GroupEvent.RanksAssigned.class,
            GroupEvent.LinksUp.class,
            GroupEvent.Ready.class);
  }

  @Test
  void shouldCarryEveryContributionToEveryRank() {
    List<Joined> joined = cluster.joinAll(4, "contributions");

    for (Joined each : joined) {
      assertThat(each.engine().gathered())
          .extracting(bytes -> new String(bytes, StandardCharsets.UTF_8))
          .containsExactly(
              "destination of 0", "destination of 1", "destination of 2", "destination of 3");
    }
  }

  @Test
  void shouldCarryContributionsBeyondFrameLimit() {
    byte[] large = new byte[3 * 1024 * 1024 + 17];
    new Random(42).nextBytes(large);
    List<Node> nodes = cluster.first(3);
    try {
      nodes.forEach(node -> node.engines().contribute(f -> f.rank() == 1 ? new byte[0] : large));
      List<Joined> joined = cluster.joinAll(3, "large");

      for (Joined each : joined) {
        List<byte[]> gathered = each.engine().gathered();
        assertThat(Arrays.equals(gathered.get(0), large)).isTrue();
        assertThat(gathered.get(1)).isEmpty();
        assertThat(Arrays.equals(gathered.get(2), large)).isTrue();
      }
    } finally {
      nodes.forEach(node -> node.engines().contribute(FakeEngines::destination));
    }
  }

  @Test
  void shouldRefuseContributionAboveLimitOnEveryRank() {
    Node talkative = cluster.node(0);
    try {
      talkative.engines().contribute(formation -> new byte[(16 << 20) + 1]);
      List<Joined> joined = cluster.joinAll(2, "oversize");

      assertThat(joined.get(0).failure())
          .hasMessageContaining("contribution of 16777217 bytes, want at most 16777216")
          .hasMessageContaining("jaccl4j.side-channel.max-contribution-bytes");
      FormationException told = joined.get(1).failure();
      assertThat(told.reason()).isEqualTo(Reason.PEER_FAILED);
      assertThat(told).hasMessageContaining("rank 0").hasMessageContaining("16777217");
    } finally {
      talkative.engines().contribute(FakeEngines::destination);
    }
  }

  @Test
  void shouldFormWhenLastRankComesLate() {
    List<Joined> joined = new ArrayList<>();
    cluster.first(2).forEach(node -> joined.add(node.join("late", 3)));
    await()
        .atMost(TestCluster.PATIENCE)
        .until(
            () ->
                joined.getFirst().events().stream()
                    .anyMatch(
                        event ->
                            event instanceof GroupEvent.Gathering gathering
                                && gathering.present().size() == 2));
    joined.add(cluster.node(2).join("late", 3));

    assertThat(joined).extracting(each -> each.group().rank()).containsExactly(0, 1, 2);
  }

  @Test
  void shouldRefuseFifthCandidateWhenGroupIsFull() {
    List<Joined> joined = cluster.joinAll(4, "full");
    joined.forEach(Joined::group);

    FormationException refused = cluster.node(4).join("full", 4).failure();

    assertThat(refused.reason()).isEqualTo(Reason.GROUP_FULL);
    assertThat(refused).hasMessageContaining("all its 4 ranks");
    cluster.first(4).forEach(node -> assertThat(refused).hasMessageContaining(node.address()));
    assertThat(joined).noneMatch(each -> each.engine().ended());
  }

  @Test
  void shouldNotHarmFormedGroupByMisconfiguredCandidate() {
    List<Joined> joined = cluster.joinAll(2, "unharmed");
    joined.forEach(Joined::group);

    assertThat(cluster.node(2).join("unharmed", 3).failure().reason()).isEqualTo(Reason.GROUP_FULL);
    assertThat(joined).noneMatch(each -> each.engine().ended());
  }

  @Test
  void shouldNameBothMembersAndFirstDifferenceWhenSettingsDiffer() {
    List<Joined> joined = new ArrayList<>();
    for (Node node : cluster.first(3)) {
      GroupSettings settings = node.settings("differ", 3);
      joined.add(
          node.join(
              node == cluster.node(1)
                  ? settings.withMemory(
                      new GroupSettings.Memory(4096, 256L << 20, Path.of("/dev/shm")))
                  : settings));
    }

    // Which of the two equal members is named depends on who announces itself first.
    assertThat(joined)
        .allSatisfy(
            each -> {
              assertThat(each.failure().reason()).isEqualTo(Reason.SETTINGS_DIFFER);
              assertThat(each.failure().getMessage())
                  .contains("jaccl4j.memory.slot-bytes is", "[524288]")
                  .contains("[4096] on " + cluster.node(1).address());
            });
  }

  @Test
  void shouldNameBothMembersWhenFixedRankIsTakenTwice() {
    List<Joined> joined = new ArrayList<>();
    for (Node node : cluster.first(2)) {
      joined.add(node.join(node.settings("twice", 2).withFixedRank(1)));
    }

    assertThat(joined)
        .allSatisfy(
            each -> {
              assertThat(each.failure().reason()).isEqualTo(Reason.RANK_CONFLICT);
              assertThat(each.failure().getMessage())
                  .contains(cluster.node(0).address(), cluster.node(1).address(), "[1]");
            });
  }

  @Test
  void shouldHonourFixedRanks() {
    Node oldest = cluster.node(0);
    Node middle = cluster.node(1);
    Node youngest = cluster.node(2);
    Joined last = oldest.join(oldest.settings("fixed", 3).withFixedRank(2));
    Joined dealt = middle.join("fixed", 3);
    Joined first = youngest.join(youngest.settings("fixed", 3).withFixedRank(0));

    assertThat(List.of(last, dealt, first))
        .extracting(each -> each.group().rank())
        .containsExactly(2, 1, 0);
  }

  @Test
  void shouldSayWhoIsThereAndWhichRankIsMissingAtDeadline() {
    List<Joined> joined = new ArrayList<>();
    for (int rank = 0; rank < 2; rank++) {
      Node node = cluster.node(rank);
      joined.add(
          node.join(
              node.settings("missing", 3)
                  .withFixedRank(rank)
                  .withFormationTimeout(Duration.ofSeconds(1))));
    }

    FormationException failure = joined.getFirst().failure();
    assertThat(failure.reason()).isEqualTo(Reason.TIMEOUT);
    assertThat(failure)
        .hasMessageContaining("present: 2 of 3")
        .hasMessageContaining("missing: 1: rank 2")
        .hasMessageContaining(cluster.node(0).address() + " (rank 0)")
        .hasMessageContaining(cluster.node(1).address() + " (rank 1)")
        .hasMessageContaining("have not joined this group: [" + "pekko://")
        .hasMessageContaining(cluster.node(4).address());
    assertThat(joined.get(1).failure().reason()).isEqualTo(Reason.TIMEOUT);
  }

  @Test
  void shouldAcceptMembersWithRoleOnly() {
    Node observer = cluster.node(4);
    Joined outsider =
        observer.join(
            observer
                .settings("role", 3)
                .withRole("worker")
                .withFormationTimeout(Duration.ofSeconds(2)));
    List<Joined> workers =
        cluster.first(3).stream()
            .map(node -> node.join(node.settings("role", 3).withRole("worker")))
            .toList();

    assertThat(workers.getFirst().group().members())
        .extracting(GroupMember::address)
        .doesNotContain(observer.address());
    assertThat(outsider.failure().reason()).isIn(Reason.TIMEOUT, Reason.GROUP_FULL);
  }

  @Test
  void shouldFormTwoGroupsSideBySide() {
    List<Joined> left = cluster.joinAll(3, "side-a");
    List<Joined> right = cluster.joinAll(4, "side-b");

    assertThat(left).allMatch(each -> each.group().size() == 3);
    assertThat(right).allMatch(each -> each.group().size() == 4);
  }

  @Test
  void shouldFormGroupOfOneAtOnce() {
    Group group = cluster.node(3).join("alone", 1).group();

    assertThat(group.rank()).isZero();
    assertThat(group.members()).hasSize(1);
  }

  @Test
  void shouldFormGroupOfOneOutsideAnyCluster() {
    try (Node loner = TestCluster.start(Options.none())) {
      assertThat(loner.join("alone", 1).group().size()).isOne();
    }
  }

  @Test
  void shouldRefuseSecondJoinOfSameGroup() {
    List<Joined> joined = cluster.joinAll(2, "again");
    joined.forEach(Joined::group);

    assertThat(cluster.node(0).join("again", 2).failure())
        .hasMessageContaining("has joined it already");
  }

  @Test
  void shouldNameMembersWhoseFabricsDoNotReachEachOther() {
    Joined here = cluster.node(3).join("reach", 2);
    Joined there = cluster.node(4).join("reach", 2);

    for (Joined each : List.of(here, there)) {
      assertThat(each.failure().reason()).isEqualTo(Reason.FABRIC);
      assertThat(each.failure().getMessage())
          .contains("fake: ", "[this machine]", "[another machine]", cluster.node(4).address());
    }
  }

  @Test
  void shouldRefuseUnknownFabric() {
    Node node = TestCluster.start(Options.none().config("jaccl4j.fabric = pigeon"));
    try (node) {
      assertThat(node.join("pigeon", 2).failure())
          .hasMessageContaining("jaccl4j.fabric is [pigeon], want auto or one of [fake]");
    }
  }

  @Test
  void shouldRefusePartsThatDoNotFitFrame() {
    Node node = TestCluster.start(Options.none().config("jaccl4j.side-channel.part-bytes=1 MiB"));
    try (node) {
      assertThat(node.join("frames", 2).failure())
          .hasMessageContaining("jaccl4j.side-channel.part-bytes is [1048576], want at most")
          .hasMessageContaining("maximum-frame-size");
    }
  }
}
