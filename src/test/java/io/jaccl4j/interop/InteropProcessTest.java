package io.jaccl4j.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.jaccl4j.testing.emulated.MessageRuns;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ranks as processes that know JACCL's environment and nothing else, over the emulated provider:
 * they connect the queue pairs, print the lines and send the messages that JACCL's own ranks did.
 */
@Timeout(120)
class InteropProcessTest {
  private static final Logger LOG = LoggerFactory.getLogger(InteropProcessTest.class);
  private static final JacclShape PAIR = new JacclShape(false, 2, 1);

  @TempDir Path directory;

  static List<JacclShape> shapes() {
    return JacclShape.recorded();
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void shouldReproduceARecordedRunOfJaccl(JacclShape shape) throws Exception {
    RecordedRun recorded = new RecordedRun(shape);
    try (InteropRanks ranks = new InteropRanks(shape, recorded, directory).startAll(Map.of())) {
      assertThat(ranks.exitValues()).as("last lines: %s", ranks.lastLines()).containsOnly(0);
      Expectation expectation = shape.expectation();
      List<Step> steps = shape.steps();
      for (int rank = 0; rank < shape.size(); rank++) {
        List<String> lines = ranks.lines(rank);
        assertThat(lines).last().asString().endsWith("bad=0 PASS");
        JacclSequenceTest.checkLines(expectation, steps, lines, recorded.lines(rank));
      }
      List<VerbsTranscript> transcripts = new ArrayList<>();
      for (int rank = 0; rank < shape.size(); rank++) {
        transcripts.add(ranks.transcript(rank));
      }
      checkPairs(shape, recorded, ranks, transcripts);
      long messages = checkMessages(shape, recorded, transcripts);
      long byArrival = steps.stream().filter(expectation::dependsOnArrival).count();
      LOG.info(
          "{}: {} steps, {} hashes equal{}, {} messages equal",
          shape,
          steps.size(),
          byArrival == 0 ? "all" : steps.size() - byArrival,
          byArrival == 0 ? "" : " and " + byArrival + " possible (by the order of arrival)",
          messages);
    }
  }

  /** Whether the queue pairs are on the devices, and lead to the peers, that were recorded. */
  private static void checkPairs(
      JacclShape shape,
      RecordedRun recorded,
      InteropRanks ranks,
      List<VerbsTranscript> transcripts) {
    Map<Long, RecordedRun.Pair> recordedOfNumber = new HashMap<>();
    for (RecordedRun.Pair pair : recorded.pairs()) {
      recordedOfNumber.put(
          transcripts.get(pair.rank()).pair(shape.ordinal(pair.rank(), pair.queuePair())).number(),
          pair);
    }
    assertThat(recordedOfNumber).hasSize(shape.size() * shape.queuePairs());
    Set<Long> reached = new HashSet<>();
    recordedOfNumber.forEach(
        (number, pair) -> {
          VerbsTranscript transcript = transcripts.get(pair.rank());
          VerbsTranscript.Pair own = transcript.pair(shape.ordinal(pair.rank(), pair.queuePair()));
          RecordedRun.Pair peer = recordedOfNumber.get(own.peer());
          assertThat(transcript.pairs()).isEqualTo(shape.queuePairs());
          assertThat(own.device()).as("%s", pair).isEqualTo(ranks.emulated(pair.device()));
          assertThat(peer.rank()).as("peer of %s", pair).isEqualTo(pair.peer());
          assertThat(peer.device()).as("peer of %s", pair).isEqualTo(pair.peerDevice());
          reached.add(own.peer());
        });
    assertThat(reached).isEqualTo(recordedOfNumber.keySet());
  }

  /** Returns how many messages were sent, all of them as recorded. */
  private static long checkMessages(
      JacclShape shape, RecordedRun recorded, List<VerbsTranscript> transcripts) {
    long sent = 0;
    for (Step step : shape.steps()) {
      Map<Integer, List<RecordedRun.Flow>> flows = recorded.messages(step);
      for (int rank = 0; rank < shape.size(); rank++) {
        for (RecordedRun.Flow flow : flows.getOrDefault(rank, List.of())) {
          int ordinal = shape.ordinal(rank, flow.queuePair());
          long count = flow.runs().count();
          MessageRuns taken = transcripts.get(rank).take(ordinal, flow.sent(), count);
          assertThat(taken)
              .as(
                  "%s, rank %d, queue pair %d, %s",
                  step.label(), rank, flow.queuePair(), flow.sent() ? "sent" : "received")
              .isEqualTo(flow.runs());
          sent += flow.sent() ? count : 0;
        }
      }
    }
    assertThat(transcripts)
        .as("messages that no step accounts for")
        .allSatisfy(transcript -> assertThat(transcript.untaken()).isZero());
    return sent;
  }

  @Test
  void shouldRunTheStepsThatAreAskedFor() throws Exception {
    try (InteropRanks ranks = pair().startAll(Map.of("INTEROP_FROM", "371", "INTEROP_TO", "375"))) {
      assertThat(ranks.exitValues()).containsOnly(0);
      assertThat(ranks.lines(0))
          .hasSize(6)
          .first()
          .asString()
          .startsWith("STEP 371 burst int32 100 hash=4e25233146c78b29 check=OK");
      assertThat(ranks.lines(0))
          .last()
          .isEqualTo("JACCL-INTEROP rank=0 n=2 topo=mesh wires=1 steps=5 bad=0 PASS");
    }
  }

  @Test
  void shouldEndWithAnErrorWhereAPeerIsMissing() throws Exception {
    try (InteropRanks ranks = pair()) {
      ranks.start(0, Map.of("JACCL4J_TIMEOUT", "3"));
      assertThat(ranks.exitValues()).containsExactly(3);
      assertThat(ranks.lines(0))
          .last()
          .asString()
          .startsWith("ERROR rank=0 step=000 ")
          .contains("rank 1");
    }
  }

  private InteropRanks pair() throws IOException {
    return new InteropRanks(PAIR, new RecordedRun(PAIR), directory);
  }
}
