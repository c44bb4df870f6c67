package io.jaccl4j.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** kill -9, and what the others are told how soon. */
@Timeout(120)
class RankLossTest {
  private static final long LARGE_BYTES = 16 << 20;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @RegisterExtension final RankProcessFixture processes = new RankProcessFixture();

  @Test
  void shouldFailEveryOtherRankWhenOneIsKilledInMidOperation() throws IOException {
    RankProcessGroup group = startFormed();
    ChildRank victim = group.rank(2);
    List<ChildRank> survivors = group.without(victim);
    String endless = "allsum %d 1000000".formatted(LARGE_BYTES);
    CompletableFuture<Answer> lost = victim.ask(endless);
    Losses losses = Losses.of(victim, survivors, endless);
    await("the operations are under way")
        .atMost(PATIENCE)
        .until(() -> victim.run("state").number("completed") > 2);

    final long killedNanos = System.nanoTime();
    victim.kill();
    List<Answer> answers =
        losses.within(group.config().lossBound(), killedNanos, "killed in mid-operation");

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
      Answer later = survivor.askNow("allsum 4 1");
      losses.checkNamed(List.of(later, later));
      assertThat(survivor.askNow("terminated").ok()).isFalse();
    }
  }

  @Test
  void shouldFailThoseThatWaitInAnOperationWhichTheVictimNeverCalls() throws IOException {
    RankProcessGroup group = startFormed();
    group.run("allsum 4 7");
    // Rank 0 has proposed the group, made its shared memory, and is the cluster's oldest member.
    ChildRank victim = group.rank(0);
    Losses losses = Losses.of(victim, group.without(victim), "allsum 4000 1");
    for (ChildRank survivor : group.without(victim)) {
      await("the operation waits").atMost(PATIENCE).until(() -> slow(survivor) == 1);
    }

    final long killedNanos = System.nanoTime();
    victim.kill();
    List<Answer> answers =
        losses.within(group.config().lossBound(), killedNanos, "killed while others wait");

    losses.checkNamed(answers);
    assertThat(answers)
        .extracting(answer -> answer.text("message"))
        .allMatch(message -> message.startsWith("allSum #7 failed: "));
  }

  @Test
  void shouldEndTheGroupWithoutAnyOperationWhenARankIsKilled() throws IOException {
    RankProcessGroup group = startFormed();
    ChildRank victim = group.rank(1);
    Losses losses = Losses.of(victim, group.without(victim), "terminated");

    final long killedNanos = System.nanoTime();
    victim.kill();
    List<Answer> answers =
        losses.within(group.config().lossBound(), killedNanos, "killed while all idle");

    losses.checkNamed(answers);
  }

  @Test
  void shouldFailTheJoinNamingTheRankThatIsKilledDuringFormation() throws IOException {
    RankProcessGroup group = processes.start(3, ProcessConfig.vigilant());
    ChildRank victim = group.rank(2);
    Losses losses = Losses.of(victim, group.without(victim), "join lossy 3");

    CompletableFuture<Answer> died = victim.ask("join-and-die lossy 3");
    assertThat(victim.awaitExit(PATIENCE)).isEqualTo(137);
    final long killedNanos = System.nanoTime();
    List<Answer> answers =
        losses.within(group.config().lossBound(), killedNanos, "killed during formation");

    assertThat(died).failsWithin(PATIENCE);
    for (Answer answer : answers) {
      assertThat(answer.text("exception")).isEqualTo("FormationException");
      assertThat(answer.text("reason")).isEqualTo("PEER_FAILED");
      assertThat(answer.text("message")).contains("rank 2 (" + victim.address());
    }
  }

  private RankProcessGroup startFormed() throws IOException {
    RankProcessGroup group = processes.start(3, ProcessConfig.vigilant());
    group.join("lossy");
    return group;
  }

  private static long slow(ChildRank rank) {
    return rank.run("state").number("slow");
  }
}
