package io.jaccl4j.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** SIGTERM: gone soon, whatever the group is doing, and the others are told. */
@Timeout(180)
class TerminationTest {
  private static final Logger LOG = LoggerFactory.getLogger(TerminationTest.class);
  private static final int SIZE = 3;
  private static final Duration LIMIT = Duration.ofSeconds(5);
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @RegisterExtension
  static final RankProcessFixture PROCESSES =
      new RankProcessFixture(SIZE, ProcessConfig.vigilant());

  private final RankProcessGroup group = PROCESSES.group();

  @BeforeEach
  void formAgain() throws IOException {
    group.revive();
    group.join("leaving", SIZE);
  }

  @Test
  void shouldEndInMidOperationAndTellThePeersThatItLeft() {
    ChildRank leaver = group.rank(1);
    String endless = "allsum 1048576 1000000";
    leaver.ask(endless);
    Losses losses = Losses.of(leaver, group.without(leaver), endless);
    await("the operations are under way")
        .atMost(PATIENCE)
        .until(() -> leaver.state().number("completed") > 2);

    final long terminatedNanos = System.nanoTime();
    leaver.terminate();
    awaitExit(leaver, terminatedNanos, "SIGTERM in mid-operation");
    List<Answer> answers = losses.within(LIMIT, terminatedNanos, "SIGTERM in mid-operation");

    losses.checkNamed(answers);
    assertThat(answers)
        .extracting(answer -> answer.text("message"))
        .allMatch(message -> message.contains("has left the group"));
  }

  @Test
  void shouldEndSoonWhileItWaitsForARankThatDoesNothing() {
    ChildRank leaver = group.rank(1);
    final long slowBefore = leaver.state().number("slow");
    leaver.ask("allsum 8 1");
    await("it waits").atMost(PATIENCE).until(() -> leaver.state().number("slow") == slowBefore + 1);

    final long terminatedNanos = System.nanoTime();
    leaver.terminate();
    awaitExit(leaver, terminatedNanos, "SIGTERM while it waits");
  }

  @Test
  void shouldEndSoonAfterItsGroupHasFailed() {
    ChildRank victim = group.rank(2);
    Losses losses = Losses.of(victim, group.without(victim), "allsum 8 1000000");
    final long killedNanos = System.nanoTime();
    victim.kill();
    losses.checkNamed(losses.within(group.config().lossBound(), killedNanos, "killed"));

    ChildRank survivor = group.rank(1);
    final long terminatedNanos = System.nanoTime();
    survivor.terminate();
    awaitExit(survivor, terminatedNanos, "SIGTERM after its group has failed");
  }

  private static void awaitExit(ChildRank rank, long sinceNanos, String what) {
    rank.awaitExit(LIMIT);
    LOG.info("{}: process gone after {} ms", what, (System.nanoTime() - sinceNanos) / 1_000_000);
  }
}
