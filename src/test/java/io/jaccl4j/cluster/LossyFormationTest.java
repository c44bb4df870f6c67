package io.jaccl4j.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.jaccl4j.Group;
import io.jaccl4j.GroupFailure;
import io.jaccl4j.cluster.TestCluster.Joined;
import io.jaccl4j.cluster.TestCluster.Options;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Agreement and farewells over a wire that loses, doubles and reorders messages. */
class LossyFormationTest {

  private static final long SEED = 20261129;

  private static TestCluster cluster;

  @BeforeAll
  static void startCluster() {
    System.out.println("seed " + SEED);
    AtomicLong seeds = new AtomicLong(SEED);
    Options lossy =
        Options.none()
            .wire(mail -> new LossyMail(mail, new SplittableRandom(seeds.getAndIncrement())));
    cluster = TestCluster.of(lossy, lossy, lossy, lossy);
  }

  @AfterAll
  static void stopCluster() {
    cluster.close();
  }

  @Test
  void shouldAgreeOnOneTableAgainAndAgain() {
    for (int round = 1; round <= 5; round++) {
      List<Joined> joined = cluster.joinAll(4, "lossy");

      Group first = joined.getFirst().group();
      for (Joined each : joined) {
        assertThat(each.group().members()).isEqualTo(first.members());
        assertThat(each.group().epoch()).isEqualTo(first.epoch());
        assertThat(each.engine().gathered()).hasSize(4);
      }
      GroupFailure cause =
          new GroupFailure(GroupFailure.Kind.INTERNAL, -1, "", 0, "end of round " + round);
      joined.get(round % 4).engine().abort(cause);
      for (Joined each : joined) {
        await()
            .atMost(TestCluster.PATIENCE)
            .untilAsserted(() -> assertThat(each.engine().failure()).contains(cause));
      }
    }
  }

  @Test
  void shouldTellEveryPeerOfClose() {
    List<Joined> joined = cluster.joinAll(4, "lossy-close");
    joined.forEach(Joined::group);

    joined.get(3).group().close();

    for (Joined each : joined.subList(0, 3)) {
      await().atMost(TestCluster.PATIENCE).until(() -> each.engine().leavers().containsKey(3));
    }
  }

  @Test
  void shouldFailAllRanksWithConflict() {
    List<Joined> joined =
        cluster.first(4).stream()
            .map(node -> node.join(node.settings("lossy-conflict", 4).withFixedRank(1)))
            .toList();

    assertThat(joined)
        .allSatisfy(each -> assertThat(each.failure()).hasMessageContaining("[1] on both"));
  }

  /** Loses a quarter, doubles some, and holds some back until later ones have gone. */
  private static final class LossyMail implements Mail {
    private final Mail mail;
    private final SplittableRandom random;
    private final Deque<Runnable> heldBack = new ArrayDeque<>();

    LossyMail(Mail mail, SplittableRandom random) {
      this.mail = mail;
      this.random = random;
    }

    @Override
    public void send(MemberId to, RemoteMessage message) {
      switch (random.nextInt(8)) {
        case 0, 1 -> {}
        case 2 -> heldBack.add(() -> mail.send(to, message));
        case 3 -> {
          mail.send(to, message);
          mail.send(to, message);
        }
        default -> {
          mail.send(to, message);
          if (!heldBack.isEmpty()) {
            heldBack.remove().run();
          }
        }
      }
    }
  }
}
