package io.jaccl4j.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** SIGTERM: gone soon, whatever the group is doing, and the others are told. */
@Timeout(120)
class TerminationTest {
  private static final Logger LOG = LoggerFactory.getLogger(TerminationTest.class);
  private static final Duration LIMIT = Duration.ofSeconds(5);
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @RegisterExtension final RankProcessFixture processes = new RankProcessFixture();

  @Test
  void shouldEndInMidOperationAndTellThePeersThatItLeft() throws IOException {
    RankProcessGroup group = processes.start(3, ProcessConfig.vigilant());
    group.join("leaving");
    ChildRank leaver = group.rank(1);
    String endless = "allsum 1048576 1000000";
    leaver.ask(endless);
    Losses losses = Losses.of(leaver, group.without(leaver), endless);
    awaitUnderWay(leaver);

    long terminatedNanos = System.nanoTime();
    leaver.terminate();
    List<Answer> answers = losses.within(LIMIT, terminatedNanos, "SIGTERM in mid-operation");
    leaver.awaitExit(LIMIT);
    logExit("SIGTERM in mid-operation", terminatedNanos);

    losses.checkNamed(answers);
    assertThat(answers)
        .extracting(answer -> answer.text("message"))
        .allMatch(message -> message.contains("has left the group"));
  }

  @Test
  void shouldEndAtOnceWhileItWaitsForARankThatDoesNothing() throws IOException {
    RankProcessGroup group = processes.start(3, ProcessConfig.vigilant());
    group.join("waiting");
    ChildRank leaver = group.rank(1);
    leaver.ask("allsum 8 1");
    await("it waits").atMost(PATIENCE).until(() -> leaver.run("state").number("slow") == 1);

    long terminatedNanos = System.nanoTime();
    leaver.terminate();
    leaver.awaitExit(LIMIT);
    logExit("SIGTERM while waiting", terminatedNanos);
  }

  @Test
  void shouldEndAtOnceAfterItsGroupHasFailed() throws IOException {
    // Nobody can confirm that it leaves while a member is unreachable, so it must not wait long.
    RankProcessGroup group =
        processes.start(
            3,
            ProcessConfig.vigilant()
                .with(
                    """
                    pekko.coordinated-shutdown.phases {
                      cluster-leave.timeout = 2s
                      cluster-exiting.timeout = 2s
                      cluster-exiting-done.timeout = 1s
                    }
                    """));
    group.join("failed");
    ChildRank victim = group.rank(2);
    Losses losses = Losses.of(victim, group.without(victim), "allsum 8 1000000");
    victim.kill();
    losses.checkNamed(losses.within(group.config().lossBound(), System.nanoTime(), "killed"));

    ChildRank survivor = group.rank(1);
    long terminatedNanos = System.nanoTime();
    survivor.terminate();
    survivor.awaitExit(LIMIT);
    logExit("SIGTERM after the group has failed", terminatedNanos);
  }

  private static void awaitUnderWay(ChildRank rank) {
    await("the operations are under way")
        .atMost(PATIENCE)
        .until(() -> rank.run("state").number("completed") > 2);
  }

  private static void logExit(String what, long sinceNanos) {
    LOG.info("{}: process gone after {} ms", what, (System.nanoTime() - sinceNanos) / 1_000_000);
  }
}
