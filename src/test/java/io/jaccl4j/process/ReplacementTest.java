package io.jaccl4j.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Those that are left and a fresh process go on under the same name. */
@Timeout(120)
class ReplacementTest {
  private static final Logger LOG = LoggerFactory.getLogger(ReplacementTest.class);
  private static final int RESTARTS = 2;

  @RegisterExtension final RankProcessFixture processes = new RankProcessFixture();

  @Test
  void shouldFormAgainWithAProcessThatWasRestartedOnTheSamePort() throws IOException {
    RankProcessGroup group = processes.start(3, ProcessConfig.vigilant());
    long epoch = group.join("phoenix");

    for (int restart = 0; restart < RESTARTS; restart++) {
      ChildRank victim = group.rank(1);
      String port = "pekko.remote.artery.canonical.port = %d".formatted(victim.port());
      List<CompletableFuture<Answer>> ends =
          group.without(victim).stream().map(rank -> rank.ask("terminated")).toList();
      final long killedNanos = System.nanoTime();
      victim.kill();
      victim.awaitExit(Duration.ofSeconds(5));

      ChildRank fresh = group.replace(victim, port, group.rank(0));
      assertThat(fresh.address()).isEqualTo(victim.address());
      for (CompletableFuture<Answer> end : ends) {
        Answer answer = end.join();
        assertThat(answer.text("exception")).isEqualTo("PeerLostException");
        assertThat(answer.number("rank")).isEqualTo(1);
      }
      long next = group.join("phoenix");
      LOG.info(
          "restarted on port {}: epoch {} ready {} ms after the kill",
          fresh.port(),
          next,
          (System.nanoTime() - killedNanos) / 1_000_000);
      assertThat(next).isGreaterThan(epoch);
      group.run("allsum 4000012 3");
      epoch = next;
    }
  }

  @Test
  void shouldFormAgainAsOftenAsAllHaveClosedWithoutFailingAnyonesLastOperation()
      throws IOException {
    RankProcessGroup group = processes.start(3, ProcessConfig.vigilant());
    long epoch = 0;
    for (int round = 0; round < 10; round++) {
      long next = group.join("rounds");
      assertThat(next).isGreaterThan(epoch);
      // Whoever is done closes at once, while others may still be finishing.
      group.run("allsum-close %d 2".formatted(round % 2 == 0 ? 4_000_012 : 8));
      epoch = next;
    }
    for (ChildRank rank : group.all()) {
      rank.closeStdin();
    }
    for (ChildRank rank : group.all()) {
      assertThat(rank.awaitExit(Duration.ofSeconds(30))).isZero();
    }
  }
}
