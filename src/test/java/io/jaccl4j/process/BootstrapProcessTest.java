package io.jaccl4j.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Three equal processes with a list of management ports: what each answers while they are too few,
 * when they are all there, when one is killed and when it is back. One story in order, since to
 * start processes takes longest.
 */
@Timeout(180)
class BootstrapProcessTest {
  private static final Logger LOG = LoggerFactory.getLogger(BootstrapProcessTest.class);
  private static final int SIZE = 3;
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final String JOIN = "join " + DiscoveringRanks.GROUP + " " + SIZE;

  /** Numbers of the processes in the order of their start; the last one comes late. */
  private final List<Integer> order = new ArrayList<>(List.of(0, 1, 2));

  private final Map<Integer, ChildRank> ranks = new TreeMap<>();
  private DiscoveringRanks discovering;

  @BeforeEach
  void startAllButOne() throws IOException {
    long seed = System.nanoTime();
    Collections.shuffle(order, new Random(seed));
    LOG.info("order of start {} (seed {})", order, seed);
    discovering = new DiscoveringRanks(SIZE);
    for (int number : order.subList(0, SIZE - 1)) {
      start(number);
    }
    ranks.values().forEach(rank -> rank.run("discover " + SIZE));
  }

  @AfterEach
  void stop() throws IOException {
    discovering.close();
  }

  private ChildRank start(int number) throws IOException {
    ChildRank rank =
        discovering.start(
            number, DiscoveringRanks.bootstrap(), discovering.configDiscovery(), Map.of());
    ranks.put(number, rank);
    return rank;
  }

  private List<CompletableFuture<Answer>> askAll(String command) {
    return ranks.values().stream().map(rank -> rank.ask(command)).toList();
  }

  private List<Answer> joinAll() {
    List<Answer> answers = new ArrayList<>();
    List<CompletableFuture<Answer>> pending = askAll(JOIN);
    List<ChildRank> asked = List.copyOf(ranks.values());
    for (int i = 0; i < asked.size(); i++) {
      answers.add(asked.get(i).succeeded(JOIN, pending.get(i)));
    }
    return answers;
  }

  @Test
  void shouldWaitFormAndTakeBackARankThatWasKilled() throws IOException {
    try {
      waitForTheLastRankAndFailAtTheDeadline();
      formWhenTheLastRankComes();
      answerWithRanksLinksAndCounters();
      tellThatARankWasKilledAndTakeItBack();
    } catch (AssertionError | RuntimeException e) {
      discovering.attachLogs(e);
      throw e;
    }
  }

  private void waitForTheLastRankAndFailAtTheDeadline() {
    List<CompletableFuture<Answer>> pending = askAll(JOIN + " jaccl4j.formation-timeout=4s");
    for (int number : ranks.keySet()) {
      await("it says that it waits")
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(discovering.group(number).at("/formationNanos").asLong())
                      .isGreaterThan(1_000_000_000L));
      JsonNode waiting = discovering.group(number);
      assertThat(waiting.at("/stage").asText()).isEqualTo("FORMING");
      assertThat(waiting.at("/candidates")).isEmpty();
      assertThat(waiting.at("/members")).isEmpty();
      assertThat(discovering.status(number, "/ready")).isEqualTo(500);
      assertThat(discovering.status(number, "/alive")).isEqualTo(200);
    }
    for (CompletableFuture<Answer> join : pending) {
      Answer answer = join.join();
      assertThat(answer.ok()).isFalse();
      assertThat(answer.text("reason")).isEqualTo("TIMEOUT");
      assertThat(answer.text("message"))
          .contains(DiscoveringRanks.GROUP, "present: 0 of 3", "missing: 3");
    }
    // Much longer than the time after which two that are content with two would have begun.
    assertThat(ranks.values())
        .allSatisfy(
            rank -> assertThat(rank.state().number("up")).as("a world of its own").isZero());
    for (int number : ranks.keySet()) {
      assertThat(discovering.group(number).at("/stage").asText()).isEqualTo("NOT_FORMED");
      assertThat(discovering.group(number).at("/failure/detail").asText())
          .contains("present: 0 of 3");
      assertThat(discovering.status(number, "/ready")).isEqualTo(500);
      assertThat(discovering.status(number, "/alive")).isEqualTo(200);
    }
  }

  private void formWhenTheLastRankComes() throws IOException {
    start(order.getLast()).run("discover " + SIZE);
    List<Answer> answers = joinAll();
    assertThat(answers)
        .extracting(answer -> answer.number("rank"))
        .containsExactlyInAnyOrder(0L, 1L, 2L);
    assertThat(answers).extracting(answer -> answer.number("epoch")).containsOnly(1L);
    assertThat(ranks.values()).extracting(ChildRank::port).doesNotHaveDuplicates();
  }

  private void answerWithRanksLinksAndCounters() {
    assertThat(askAll("allsum 4096 3")).allMatch(answer -> answer.join().ok());
    JsonNode table = discovering.group(0).at("/members");
    for (int number : ranks.keySet()) {
      assertThat(discovering.status(number, "/ready")).isEqualTo(200);
      assertThat(discovering.status(number, "/alive")).isEqualTo(200);
      JsonNode group = discovering.group(number);
      assertThat(group.at("/name").asText()).isEqualTo(DiscoveringRanks.GROUP);
      assertThat(group.at("/stage").asText()).isEqualTo("READY");
      assertThat(group.at("/size").asInt()).isEqualTo(SIZE);
      assertThat(group.at("/epoch").asLong()).isOne();
      assertThat(group.at("/members")).as("the same table on every rank").isEqualTo(table);
      assertThat(group.at("/members/" + group.at("/rank").asInt() + "/address").asText())
          .isEqualTo(ranks.get(number).address());
      assertThat(group.at("/links/fabric").asText()).isEqualTo("shm");
      assertThat(group.at("/links/count").asInt()).isEqualTo(SIZE - 1);
      assertThat(group.at("/counters/operations").asLong()).isEqualTo(3);
      assertThat(group.at("/counters/bytesSent").asLong()).isGreaterThanOrEqualTo(3 * 4096);
      assertThat(group.at("/failure").isNull()).isTrue();
    }
    assertThat(StreamSupport.stream(table.spliterator(), false).map(m -> m.at("/address").asText()))
        .containsExactlyInAnyOrderElementsOf(
            ranks.values().stream().map(ChildRank::address).toList());
    assertThat(discovering.status(0, "/jaccl/group/" + DiscoveringRanks.GROUP)).isEqualTo(200);
    assertThat(discovering.status(0, "/jaccl/group/another")).isEqualTo(404);
  }

  private void tellThatARankWasKilledAndTakeItBack() throws IOException {
    final int victim = order.getFirst();
    final int rankOfVictim = discovering.group(victim).at("/rank").asInt();
    final String addressOfVictim = ranks.get(victim).address();
    ranks.remove(victim).kill();
    for (int number : ranks.keySet()) {
      await("it says that it has failed")
          .atMost(ProcessConfig.vigilant().lossBound())
          .until(() -> discovering.group(number).at("/stage").asText().equals("FAILED"));
      assertThat(discovering.status(number, "/ready")).isEqualTo(500);
      JsonNode group = discovering.group(number);
      assertThat(group.at("/stage").asText()).isEqualTo("FAILED");
      assertThat(group.at("/failure/kind").asText()).isEqualTo("PEER_LOST");
      assertThat(group.at("/failure/rank").asInt()).isEqualTo(rankOfVictim);
      assertThat(group.at("/failure/address").asText()).isEqualTo(addressOfVictim);
      assertThat(discovering.status(number, "/alive")).as("a new join cures it").isEqualTo(200);
    }

    ranks.values().iterator().next().run("down " + addressOfVictim);
    start(victim).run("discover " + SIZE);
    assertThat(joinAll()).extracting(answer -> answer.number("epoch")).containsOnly(2L);
    assertThat(ranks.keySet())
        .allSatisfy(number -> assertThat(discovering.status(number, "/ready")).isEqualTo(200));
  }
}
