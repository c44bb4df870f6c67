package io.jaccl4j.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.jaccl4j.FormationException;
import io.jaccl4j.GroupCounters;
import io.jaccl4j.GroupEvent;
import io.jaccl4j.GroupFailure;
import io.jaccl4j.GroupFailure.Kind;
import io.jaccl4j.GroupMember;
import io.jaccl4j.GroupSettings;
import io.jaccl4j.cluster.Membership.Stage;
import io.jaccl4j.cluster.TestCluster.Joined;
import io.jaccl4j.cluster.TestCluster.Node;
import io.jaccl4j.cluster.TestCluster.Options;
import java.time.Duration;
import org.apache.pekko.cluster.typed.Join;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a member says of its groups while they form, work and end. */
@Timeout(60)
class MembershipsTest {
  private static final Node NODE = TestCluster.start(Options.none());

  @BeforeAll
  static void joinOneself() {
    NODE.cluster().manager().tell(Join.create(NODE.cluster().selfMember().address()));
  }

  @AfterAll
  static void stop() {
    NODE.close();
  }

  private static Membership membership(String group) {
    return NODE.jaccl().memberships().stream()
        .filter(membership -> membership.group().equals(group))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void shouldKnowNothingBeforeAnyJoin() {
    try (Node fresh = TestCluster.start(Options.none())) {
      assertThat(fresh.jaccl().memberships()).isEmpty();
    }
  }

  @Test
  void shouldTellTheWholeLifeOfAGroup() {
    Joined joined = NODE.join("life", 1);
    joined.group();
    Membership ready = membership("life");
    assertThat(ready.stage()).isEqualTo(Stage.READY);
    assertThat(ready.size()).isOne();
    assertThat(ready.waitedNanos()).isPositive();
    assertThat(ready.ranks().orElseThrow().rank()).isZero();
    assertThat(ready.ranks().orElseThrow().epoch()).isEqualTo(joined.group().epoch());
    assertThat(ready.ranks().orElseThrow().members())
        .extracting(GroupMember::address)
        .containsExactly(NODE.address());
    assertThat(ready.links()).contains(new GroupEvent.LinksUp("fake", 0, "no links"));
    assertThat(ready.counters()).contains(new GroupCounters(1, 2, 3, 4, 5));
    assertThat(ready.failure()).isEmpty();
    assertThat(ready.engineAlive()).isTrue();

    joined.group().close();
    assertThat(membership("life").stage()).isEqualTo(Stage.CLOSED);
  }

  @Test
  void shouldTellThatTheEngineThreadIsOfNoUse() {
    Joined joined = NODE.join("dying", 1);
    joined.group();
    NODE.engines().of(joined.group()).die();
    assertThat(membership("dying").engineAlive()).isFalse();
    assertThat(membership("dying").stage()).as("nobody has told it").isEqualTo(Stage.READY);
    joined.group().close();
  }

  @Test
  void shouldGiveTheCauseOfAFailure() {
    Joined joined = NODE.join("failing", 1);
    joined.group();
    GroupFailure cause = new GroupFailure(Kind.FABRIC, 0, NODE.address(), 0, "a cable is out");
    NODE.engines().of(joined.group()).abort(cause);
    assertThat(membership("failing").stage()).isEqualTo(Stage.FAILED);
    assertThat(membership("failing").failure()).contains(cause);

    joined.group().close();
    await("the name is free again")
        .atMost(TestCluster.PATIENCE)
        .until(() -> NODE.join("failing", 1).group() != null);
    assertThat(membership("failing").stage()).isEqualTo(Stage.READY);
    assertThat(membership("failing").failure()).isEmpty();
  }

  @Test
  void shouldSayWhoIsThereWhileItForms() {
    GroupSettings settings = NODE.settings("lonely", 2).withFormationTimeout(Duration.ofSeconds(6));
    Joined joined = NODE.join(settings);
    await()
        .atMost(TestCluster.PATIENCE)
        .untilAsserted(
            () -> assertThat(membership("lonely").candidates()).containsExactly(NODE.address()));
    Membership forming = membership("lonely");
    assertThat(forming.stage()).isEqualTo(Stage.FORMING);
    assertThat(forming.ranks()).isEmpty();
    assertThat(forming.counters()).isEmpty();

    FormationException failure = joined.failure();
    assertThat(membership("lonely").stage()).isEqualTo(Stage.NOT_FORMED);
    assertThat(membership("lonely").failure().orElseThrow().detail())
        .isEqualTo(failure.getMessage());
  }

  @Test
  void shouldKeepTheGroupThatASecondJoinIsRefusedFor() {
    Joined first = NODE.join("twice", 1);
    first.group();
    Joined second = NODE.join("twice", 1);
    assertThat(second.failure()).isInstanceOf(FormationException.class);
    assertThat(membership("twice").stage()).isEqualTo(Stage.READY);
    first.group().close();
  }
}
