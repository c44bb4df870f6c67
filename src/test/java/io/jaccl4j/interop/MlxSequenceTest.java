package io.jaccl4j.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.jaccl4j.ring.RingOptions;
import io.jaccl4j.ring.RingRanks;
import io.jaccl4j.testing.LocalRanks;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The whole sequence by our own ranks, against what MLX's own ranks printed. */
class MlxSequenceTest {

  @ParameterizedTest(name = "{0} ranks, {1} addresses")
  @CsvSource({"2, 1", "2, 2", "3, 1", "3, 3", "4, 1", "4, 2", "5, 1"})
  void shouldPrintWhatMlxPrints(int size, int connections) throws IOException {
    RingOptions options = RingOptions.of(Duration.ofSeconds(30), Duration.ofSeconds(60));
    MlxExpectation expectation = new MlxExpectation(size, connections);
    List<String> printed = new CopyOnWriteArrayList<>();
    try (RingRanks ranks = RingRanks.form(size, connections, options);
        ExecutorService callers = Executors.newFixedThreadPool(size)) {
      List<MlxSequence> sequences = new ArrayList<>();
      for (int rank = 0; rank < size; rank++) {
        sequences.add(new MlxSequence(ranks.ring(rank), expectation, printed::add));
      }
      for (Step step : MlxSteps.all()) {
        List<CompletableFuture<Void>> running =
            sequences.stream()
                .map(sequence -> CompletableFuture.runAsync(() -> sequence.run(step), callers))
                .toList();
        running.forEach(LocalRanks::get);
        expectation.forget(step);
      }
      sequences.forEach(MlxSequence::finish);
    }
    assertThat(printed).containsExactlyInAnyOrderElementsOf(recorded(size, connections));
  }

  static List<String> recorded(int size, int connections) throws IOException {
    String name = "/mlx-ring/n" + size + "-a" + connections + ".hashes.txt";
    try (InputStream in = MlxSequenceTest.class.getResourceAsStream(name)) {
      assertThat(in).as(name).isNotNull();
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
  }
}
