package io.jaccl4j.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All operations between processes. One cluster, of which each test takes as many as it needs. */
@Timeout(180)
class CollectivesProcessTest {
  private static final Logger LOG = LoggerFactory.getLogger(CollectivesProcessTest.class);
  private static final int MOST_RANKS = 8;

  @RegisterExtension
  static final RankProcessFixture PROCESSES =
      new RankProcessFixture(MOST_RANKS, ProcessConfig.patient());

  private final RankProcessGroup group = PROCESSES.group();

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4, MOST_RANKS})
  void shouldComputeRightValuesOnEveryRankOfAMesh(int size) {
    sweep(size, "mesh");
  }

  @Test
  void shouldComputeRightValuesOnEveryRankOfARing() {
    sweep(3, "ring");
  }

  private void sweep(int size, String topology) {
    String name = "%s-%d".formatted(topology, size);
    List<ChildRank> ranks = group.all().subList(0, size);
    final long startNanos = System.nanoTime();
    group.join(name, size, "jaccl4j.topology=" + topology, "jaccl4j.memory.registered-bytes=32MiB");
    final long formedNanos = System.nanoTime();
    List<Answer> answers = RankProcessGroup.run(ranks, "sweep");
    LOG.info(
        "{}: formed in {} ms, swept in {} ms: {}",
        name,
        (formedNanos - startNanos) / 1_000_000,
        (System.nanoTime() - formedNanos) / 1_000_000,
        answers.getFirst());
    RankProcessGroup.run(ranks, "close");

    assertThat(answers).allSatisfy(answer -> assertThat(answer.number("checks")).isPositive());
  }

  @Test
  void shouldFormAgainAndAgainWithoutFailingAnyonesLastOperationWhenTheFirstCloses() {
    int size = 3;
    long epoch = 0;
    for (int round = 0; round < 10; round++) {
      long next = group.join("rounds", size);
      assertThat(next).isGreaterThan(epoch);
      // Whoever is done closes at once, while others may still be finishing.
      RankProcessGroup.run(
          group.all().subList(0, size),
          "allsum-close %d 2".formatted(round % 2 == 0 ? 4_000_012 : 8));
      epoch = next;
    }
  }

  @Test
  void shouldKeepEveryMemberReachableWhileTwiceAsManyRanksAsProcessorsPoll() {
    int size = Math.min(2 * Runtime.getRuntime().availableProcessors(), MOST_RANKS);
    List<ChildRank> ranks = group.all().subList(0, size);
    List<Long> lossesBefore = lossesSeen();
    // An idle strategy that never parks is the hardest on the others. It goes on for longer than a
    // heartbeat may be late.
    group.join("busy", size, "jaccl4j.idle.spin=60s", "jaccl4j.idle.yield=60s");

    List<Answer> answers = RankProcessGroup.run(ranks, "allsum-for 7000");

    LOG.info("{} ranks: {} all-sums in 7 s", size, answers.getFirst().number("completed"));
    assertThat(lossesSeen()).isEqualTo(lossesBefore);
    for (ChildRank rank : ranks) {
      assertThat(rank.state().number("up")).isEqualTo(MOST_RANKS);
      assertThat(rank.state().text("health")).isEqualTo("READY");
    }
    RankProcessGroup.run(ranks, "close");
  }

  private List<Long> lossesSeen() {
    return group.all().stream().map(rank -> rank.state().number("unreachable-ever")).toList();
  }
}
