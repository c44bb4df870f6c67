package io.jaccl4j.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All operations between processes. One cluster, of which each test takes as many as it needs. */
@Timeout(120)
class CollectivesProcessTest {
  private static final Logger LOG = LoggerFactory.getLogger(CollectivesProcessTest.class);

  @RegisterExtension static final RankProcessFixture PROCESSES = new RankProcessFixture();

  @BeforeAll
  static void startEight() throws IOException {
    long startNanos = System.nanoTime();
    PROCESSES.start(8, ProcessConfig.patient());
    LOG.info("8 processes up after {} ms", (System.nanoTime() - startNanos) / 1_000_000);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4, 8})
  void shouldComputeRightValuesOnEveryRankOfAMesh(int size) {
    sweep(size, "mesh");
  }

  @Test
  void shouldComputeRightValuesOnEveryRankOfARing() {
    sweep(3, "ring");
  }

  private static void sweep(int size, String topology) {
    String name = "%s-%d".formatted(topology, size);
    List<ChildRank> ranks = PROCESSES.group().all().subList(0, size);
    long startNanos = System.nanoTime();
    RankProcessGroup.run(ranks, "join %s %d %s".formatted(name, size, topology));
    long formedNanos = System.nanoTime();
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
}
