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
@Timeout(180)
class PauseTest {
  private static final Logger LOG = LoggerFactory.getLogger(PauseTest.class);
  private static final int SIZE = 3;
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final String ENDLESS = "allsum 1048576 1000000";

  @RegisterExtension
  static final RankProcessFixture PROCESSES =
      new RankProcessFixture(SIZE, ProcessConfig.vigilant());

  private final RankProcessGroup group = PROCESSES.group();
  private final ChildRank stopped = group.rank(2);
  private final List<ChildRank> others = group.without(stopped);

  @Test
  void shouldWaitForARankThatIsStoppedForAMoment() {
    group.join("slow", SIZE);
    final long slowBefore = others.getFirst().state().number("slow");
    final long lossesBefore = others.getFirst().state().number("unreachable-ever");
    final long stoppedNanos = System.nanoTime();
    stopped.stop();
    List<CompletableFuture<Answer>> pending =
        others.stream().map(rank -> rank.ask("allsum 4000012 1")).toList();
    until("the wait is reported", () -> others.getFirst().state().number("slow") == slowBefore + 1);

    stopped.resume();
    stopped.run("allsum 4000012 1");

    LOG.info("stopped for {} ms, reported as slow", millisSince(stoppedNanos));
    for (int i = 0; i < others.size(); i++) {
      others.get(i).succeeded("allsum", pending.get(i));
    }
    assertThat(others.getFirst().state().number("unreachable-ever")).isEqualTo(lossesBefore);
    assertReady();
  }

  @Test
  void shouldGoOnWhenARankWasUnreachableForLessThanTheLimit() {
    group.join("unreachable", SIZE, "jaccl4j.unreachable-timeout=15s");
    group.run("allsum 8 1");
    final long stoppedNanos = System.nanoTime();
    stopped.stop();
    for (ChildRank other : others) {
      until("it is unreachable", () -> other.state().number("unreachable") == 1);
    }

    stopped.resume();
    LOG.info("stopped and unreachable, resumed after {} ms", millisSince(stoppedNanos));
    awaitReachable();

    group.run("allsum 4000012 3");
    assertReady();
  }

  @Test
  void shouldTellARankThatWasStoppedForTooLongThatItIsExcluded() {
    final long epoch = group.join("excluded", SIZE);
    CompletableFuture<Answer> own = stopForTooLong("stopped for long");

    final long resumedNanos = System.nanoTime();
    stopped.resume();
    checkExcluded(own.join());
    LOG.info("resumed: knew that it is excluded after {} ms", millisSince(resumedNanos));
    awaitReachable();

    assertThat(group.join("excluded", SIZE)).isGreaterThan(epoch);
    group.run("allsum 4000012 3");
  }

  @Test
  void shouldNotHarmTheNextGroupWhenARankWakesThatWasReplaced() throws IOException {
    final long epoch = group.join("replaced", SIZE);
    CompletableFuture<Answer> own = stopForTooLong("stopped, to be replaced");
    others.getFirst().run("down " + stopped.address());
    group.replace(stopped);
    assertThat(group.join("replaced", SIZE)).isGreaterThan(epoch);
    List<CompletableFuture<Answer>> work =
        group.all().stream().map(rank -> rank.ask("allsum-for 2000")).toList();

    final long resumedNanos = System.nanoTime();
    stopped.resume();
    checkExcluded(own.join());
    LOG.info("replaced and resumed: knew it after {} ms", millisSince(resumedNanos));
    Answer again = stopped.askNow("join replaced 3");
    LOG.info("replaced and resumed: may not join: {}", again);
    assertThat(again.text("exception")).isEqualTo("FormationException");

    for (int i = 0; i < work.size(); i++) {
      group.rank(i).succeeded("work while the old rank wakes", work.get(i));
    }
    group.run("allsum 4000012 3");
    assertReady();
    stopped.closeStdin();
    assertThat(stopped.awaitExit(PATIENCE)).isZero();
  }

  /** Stops a rank in mid-operation until the others have given it up; returns its own answer. */
  private CompletableFuture<Answer> stopForTooLong(String what) {
    final CompletableFuture<Answer> own = stopped.ask(ENDLESS);
    Losses losses = Losses.of(stopped, others, ENDLESS);
    until("it works", () -> stopped.state().number("completed") > 2);

    final long stoppedNanos = System.nanoTime();
    stopped.stop();
    losses.checkNamed(losses.within(group.config().lossBound(), stoppedNanos, what));
    return own;
  }

  private void checkExcluded(Answer answer) {
    assertThat(answer.text("exception")).isEqualTo("PeerLostException");
    assertThat(answer.text("kind")).isEqualTo("EXCLUDED");
    assertThat(answer.number("rank")).isEqualTo(stopped.number());
    assertThat(answer.text("address")).isEqualTo(stopped.address());
    assertThat(answer.text("message")).contains("excluded from the group");
    assertThat(answer.text("health")).isEqualTo("FAILED");
  }

  private void awaitReachable() {
    for (ChildRank rank : group.all()) {
      until("all are reachable again", () -> rank.state().number("unreachable") == 0);
    }
  }

  private void assertReady() {
    for (ChildRank rank : group.all()) {
      assertThat(rank.state().text("health")).isEqualTo("READY");
    }
  }

  private static void until(String what, Callable<Boolean> condition) {
    await(what).atMost(PATIENCE).pollInterval(Duration.ofMillis(20)).until(condition);
  }

  private static long millisSince(long nanos) {
    return (System.nanoTime() - nanos) / 1_000_000;
  }
}
