package io.jaccl4j.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.jaccl4j.Dtype;
import io.jaccl4j.ring.RingOptions;
import io.jaccl4j.ring.RingRanks;
import io.jaccl4j.testing.LocalRanks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every reduction of every type around the number of ranks, where segments are empty. */
class MlxReductionTest {

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4, 5, 6, 7, 8})
  void shouldReduceAnyFewElements(int size) {
    RingOptions options = RingOptions.of(Duration.ofSeconds(20), Duration.ofSeconds(20));
    List<Step> steps = new ArrayList<>();
    for (int count = 0; count <= 2 * size + 1; count++) {
      for (Dtype dtype : Dtype.values()) {
        for (Step.Kind kind : List.of(Step.Kind.ALL_SUM, Step.Kind.ALL_MAX, Step.Kind.ALL_MIN)) {
          steps.add(new Step(steps.size(), kind, Inputs.EXACT, false, dtype, count));
        }
        steps.add(new Step(steps.size(), Step.Kind.ALL_GATHER, Inputs.EXACT, false, dtype, count));
      }
    }
    MlxExpectation expectation = new MlxExpectation(size, 1);
    List<String> printed = new CopyOnWriteArrayList<>();
    try (RingRanks ranks = RingRanks.form(size, 1, options);
        ExecutorService callers = Executors.newFixedThreadPool(size)) {
      List<CompletableFuture<Boolean>> running = new ArrayList<>();
      for (int rank = 0; rank < size; rank++) {
        MlxSequence sequence = new MlxSequence(ranks.ring(rank), expectation, printed::add);
        running.add(
            CompletableFuture.supplyAsync(
                () -> {
                  steps.forEach(sequence::run);
                  return sequence.finish();
                },
                callers));
      }
      running.forEach(LocalRanks::get);
    }
    assertThat(printed).hasSize(size * (steps.size() + 1));
    assertThat(printed).noneMatch(line -> line.contains("check=BAD"));
  }
}
