package io.jaccl4j.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** SIGSTOP and SIGCONT: slow is not dead, and who was dead must learn it. */
@Timeout(120)
class PauseTest {
  private static final Logger LOG = LoggerFactory.getLogger(PauseTest.class);
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final String ENDLESS = "allsum 1048576 1000000";

  @RegisterExtension final RankProcessFixture processes = new RankProcessFixture();

  @Test
  void shouldWaitForARankThatIsStoppedForAMoment() throws IOException {
    RankProcessGroup group = processes.start(3, ProcessConfig.vigilant());
    group.join("slow");
    ChildRank stopped = group.rank(2);
    stopped.stop();
    List<ChildRank> others = group.without(stopped);
    List<CompletableFuture<Answer>> pending =
        others.stream().map(rank -> rank.ask("allsum 4000012 1")).toList();
    until("the wait is reported", () -> state(others.getFirst()).number("slow") == 1);

    stopped.resume();
    stopped.run("allsum 4000012 1");

    for (int i = 0; i < others.size(); i++) {
      others.get(i).succeeded("allsum", pending.get(i));
      assertThat(state(others.get(i)).number("unreachable-ever")).isZero();
    }
    assertReady(group);
  }

  @Test
  void shouldGoOnWhenARankWasUnreachableForLessThanTheLimit() throws IOException {
    RankProcessGroup group =
        processes.start(3, ProcessConfig.vigilant().with("jaccl4j.unreachable-timeout = 15s"));
    group.join("unreachable");
    group.run("allsum 8 1");
    ChildRank stopped = group.rank(2);
    final long stoppedNanos = System.nanoTime();
    stopped.stop();
    for (ChildRank other : group.without(stopped)) {
      until("it is unreachable", () -> state(other).number("unreachable") == 1);
    }

    stopped.resume();
    LOG.info("stopped and unreachable, resumed after {} ms", millisSince(stoppedNanos));
    for (ChildRank rank : group.all()) {
      until("all are reachable again", () -> state(rank).number("unreachable") == 0);
    }

    group.run("allsum 4000012 3");
    assertReady(group);
  }

  @Test
  void shouldTellARankThatWasStoppedForTooLongThatItIsExcluded() throws IOException {
    RankProcessGroup group = processes.start(3, ProcessConfig.vigilant());
    long epoch = group.join("excluded");
    ChildRank stopped = group.rank(2);
    CompletableFuture<Answer> own = stopped.ask(ENDLESS);
    Losses losses = Losses.of(stopped, group.without(stopped), ENDLESS);
    until("it works", () -> state(stopped).number("completed") > 2);

    final long stoppedNanos = System.nanoTime();
    stopped.stop();
    losses.checkNamed(losses.within(group.config().lossBound(), stoppedNanos, "stopped for long"));

    final long resumedNanos = System.nanoTime();
    stopped.resume();
    checkExcluded(stopped, own.join());
    LOG.info("resumed: knew that it is excluded after {} ms", millisSince(resumedNanos));
    for (ChildRank rank : group.all()) {
      until("all are reachable again", () -> state(rank).number("unreachable") == 0);
    }
    assertThat(group.join("excluded")).isGreaterThan(epoch);
    group.run("allsum 4000012 3");
  }

  @Test
  void shouldNotHarmTheNextGroupWhenARankWakesThatWasReplaced() throws IOException {
    RankProcessGroup group = processes.start(3, ProcessConfig.vigilant().downingSoon());
    long epoch = group.join("replaced");
    ChildRank stopped = group.rank(2);
    CompletableFuture<Answer> own = stopped.ask(ENDLESS);
    Losses losses = Losses.of(stopped, group.without(stopped), ENDLESS);
    until("it works", () -> state(stopped).number("completed") > 2);
    final long stoppedNanos = System.nanoTime();
    stopped.stop();
    losses.checkNamed(
        losses.within(group.config().lossBound(), stoppedNanos, "stopped, to be replaced"));

    ChildRank fresh = group.replace(stopped, "", group.rank(0));
    assertThat(group.join("replaced")).isGreaterThan(epoch);
    List<CompletableFuture<Answer>> work =
        group.all().stream().map(rank -> rank.ask("allsum-for 4000")).toList();
    final long resumedNanos = System.nanoTime();
    stopped.resume();
    checkExcluded(stopped, own.join());
    LOG.info("replaced and resumed: knew it after {} ms", millisSince(resumedNanos));
    assertThat(stopped.askNow("join replaced 3").text("exception"))
        .as("its member is out of the cluster")
        .isEqualTo("FormationException");

    for (int i = 0; i < work.size(); i++) {
      group.rank(i).succeeded("work while the old rank wakes", work.get(i));
    }
    assertThat(fresh.isAlive()).isTrue();
    group.run("allsum 4000012 3");
    assertReady(group);
  }

  private static void checkExcluded(ChildRank stopped, Answer answer) {
    assertThat(answer.text("exception")).isEqualTo("PeerLostException");
    assertThat(answer.text("kind")).isEqualTo("EXCLUDED");
    assertThat(answer.number("rank")).isEqualTo(stopped.number());
    assertThat(answer.text("address")).isEqualTo(stopped.address());
    assertThat(answer.text("message")).contains("excluded from the group");
    assertThat(answer.text("health")).isEqualTo("FAILED");
  }

  private static void assertReady(RankProcessGroup group) {
    for (ChildRank rank : group.all()) {
      assertThat(state(rank).text("health")).isEqualTo("READY");
    }
  }

  private static Answer state(ChildRank rank) {
    return rank.run("state");
  }

  private static void until(String what, Callable<Boolean> condition) {
    await(what).atMost(PATIENCE).pollInterval(Duration.ofMillis(20)).until(condition);
  }

  private static long millisSince(long nanos) {
    return (System.nanoTime() - nanos) / 1_000_000;
  }
}
