package io.jaccl4j.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ranks that take every processor there is leave enough for the cluster. */
@Timeout(120)
class BusyRanksTest {
  private static final Logger LOG = LoggerFactory.getLogger(BusyRanksTest.class);

  /** A large machine would not be kept busy by more either: it has the processors. */
  private static final int MOST_RANKS = 8;

  @RegisterExtension final RankProcessFixture processes = new RankProcessFixture();

  @Test
  void shouldKeepEveryMemberReachableWhileTwiceAsManyRanksAsProcessorsPoll() throws IOException {
    int ranks = Math.min(2 * Runtime.getRuntime().availableProcessors(), MOST_RANKS);
    // An idle strategy that never parks is the hardest on the others.
    RankProcessGroup group =
        processes.start(
            ranks, ProcessConfig.vigilant().with("jaccl4j.idle { spin = 60s, yield = 60s }"));
    group.join("busy");

    List<Answer> answers = group.run("allsum-for 5000");

    LOG.info("{} ranks: {} all-sums in 5 s", ranks, answers.getFirst().number("completed"));
    assertThat(answers)
        .extracting(answer -> answer.number("completed"))
        .containsOnly(answers.getFirst().number("completed"));
    for (ChildRank rank : group.all()) {
      Answer state = rank.run("state");
      assertThat(state.number("unreachable-ever")).isZero();
      assertThat(state.number("up")).isEqualTo(ranks);
      assertThat(state.text("health")).isEqualTo("READY");
    }
  }
}
