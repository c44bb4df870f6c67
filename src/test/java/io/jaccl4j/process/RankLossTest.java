package io.jaccl4j.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * kill -9: what the others are told, how soon, and that they go on under the same name with a
 * process that was started again on the same port.
 */
@Timeout(180)
class RankLossTest {
  private static final Logger LOG = LoggerFactory.getLogger(RankLossTest.class);
  private static final int SIZE = 3;
  private static final String GROUP = "lossy";
  private static final String LARGE_SUMS = "allsum %d 1000000".formatted(16 << 20);
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @RegisterExtension
  static final RankProcessFixture PROCESSES =
      new RankProcessFixture(SIZE, ProcessConfig.vigilant());

  private static long lastEpoch;

  private final RankProcessGroup group = PROCESSES.group();
  private final Duration bound = group.config().lossBound();

  @BeforeEach
  void formAgain() throws IOException {
    group.revive();
    long epoch = group.join(GROUP, SIZE);
    assertThat(epoch).isGreaterThan(lastEpoch);
    lastEpoch = epoch;
  }

  @Test
  void shouldFailEveryOtherRankWhenOneIsKilledInMidOperation() {
    ChildRank victim = group.rank(2);
    List<ChildRank> survivors = group.without(victim);
    CompletableFuture<Answer> lost = victim.ask(LARGE_SUMS);
    Losses losses = Losses.of(victim, survivors, LARGE_SUMS);
    await("the operations are under way")
        .atMost(PATIENCE)
        .until(() -> victim.state().number("completed") > 2);

    final long killedNanos = System.nanoTime();
    victim.kill();
    List<Answer> answers = losses.within(bound, killedNanos, "killed in mid-operation");

    assertThat(lost).failsWithin(PATIENCE);
    losses.checkNamed(answers);
    for (Answer answer : answers) {
      // The operation that failed is the one after those that were completed.
      assertThat(answer.text("message"))
          .startsWith("allSum #%d failed: ".formatted(answer.number("completed")));
    }
    assertThat(answers)
        .extracting(answer -> answer.number("completed"))
        .as("nobody can be two operations ahead")
        .allMatch(count -> Math.abs(count - answers.getFirst().number("completed")) <= 1);
    for (ChildRank survivor : survivors) {
      losses.checkNamed(survivor.askNow("allsum 4 1"));
      losses.checkNamed(survivor.askNow("terminated"));
    }
  }

  @Test
  void shouldFailThoseThatWaitInAnOperationWhichTheVictimNeverCalls() {
    group.run("allsum 4 7");
    // Rank 0 has proposed the group, made its shared memory, and is the cluster's oldest member.
    ChildRank victim = group.rank(0);
    List<ChildRank> survivors = group.without(victim);
    List<Long> slowBefore = slowPeers(survivors);
    Losses losses = Losses.of(victim, survivors, "allsum 4000 1");
    await("the operations wait")
        .atMost(PATIENCE)
        .until(() -> slowPeers(survivors).equals(slowBefore.stream().map(n -> n + 1).toList()));

    final long killedNanos = System.nanoTime();
    victim.kill();
    List<Answer> answers = losses.within(bound, killedNanos, "killed while others wait");

    losses.checkNamed(answers);
    assertThat(answers)
        .extracting(answer -> answer.text("message"))
        .allMatch(message -> message.startsWith("allSum #7 failed: "));
  }

  @Test
  void shouldFailTheJoinNamingTheRankThatIsKilledDuringFormation() {
    // A proposer that dies now has told nobody that the group stands; they would go on looking for
    // a third.
    String proposer = group.rank(0).state().text("oldest");
    ChildRank victim = group.rank(group.rank(2).address().equals(proposer) ? 1 : 2);
    Losses losses = Losses.of(victim, group.without(victim), "join unformed 3");

    CompletableFuture<Answer> died = victim.ask("join-and-die unformed 3");
    assertThat(victim.awaitExit(PATIENCE)).isEqualTo(137);
    final long killedNanos = System.nanoTime();
    List<Answer> answers = losses.within(bound, killedNanos, "killed during formation");

    assertThat(died).failsWithin(PATIENCE);
    for (Answer answer : answers) {
      assertThat(answer.text("exception")).isEqualTo("FormationException");
      assertThat(answer.text("reason")).isEqualTo("PEER_FAILED");
      assertThat(answer.text("message"))
          .contains("rank %d (%s".formatted(victim.number(), victim.address()));
    }
  }

  @Test
  void shouldEndAnIdleGroupAndFormItAgainWithTheVictimRestartedAtOnceOnItsPort()
      throws IOException {
    ChildRank victim = group.rank(1);
    Losses losses = Losses.of(victim, group.without(victim), "terminated");
    final long killedNanos = System.nanoTime();
    victim.kill();
    victim.awaitExit(PATIENCE);

    group.revive();
    assertThat(group.rank(1).address()).isEqualTo(victim.address());
    losses.checkNamed(losses.within(bound, killedNanos, "killed while all idle, and restarted"));
    long epoch = group.join(GROUP, SIZE);
    LOG.info(
        "restarted on port {}: epoch {} ready {} ms after the kill",
        victim.port(),
        epoch,
        (System.nanoTime() - killedNanos) / 1_000_000);

    assertThat(epoch).isGreaterThan(lastEpoch);
    group.run("allsum 4000012 3");
  }

  private static List<Long> slowPeers(List<ChildRank> ranks) {
    return ranks.stream().map(rank -> rank.state().number("slow")).toList();
  }
}
