package io.jaccl4j.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.jaccl4j.cli.job.Check;
import io.jaccl4j.cli.job.StepResult;
import io.jaccl4j.testing.LocalRanks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

class AllSumBenchmarkTest {
  private static final BenchmarkPlan PLAN =
      new BenchmarkPlan(List.of(4L, 4096L), Duration.ofMillis(20));

  /** In-memory ranks refuse to run different numbers of operations. */
  @Test
  void shouldDoTheSameOperationsOnRanksWhoseClocksDiffer() {
    List<StepResult> results =
        LocalRanks.run(
            3,
            session -> {
              int speed = session.rank() + 1;
              LongSupplier clock = () -> System.nanoTime() * speed;
              List<StepResult> steps = new ArrayList<>();
              new AllSumBenchmark(PLAN, 2, clock).run(session, steps::add);
              return steps.getFirst();
            });

    for (StepResult result : results) {
      assertThat(result.rows()).hasSize(2);
      assertThat(result.checks()).hasSize(2).allMatch(Check::ok);
      assertThat(column(result, 0)).containsExactly("4", "4096");
      // Operations and the cost of a copy are agreed, so they are the same everywhere.
      assertThat(column(result, 1)).isEqualTo(column(results.getFirst(), 1));
      assertThat(column(result, 4)).isEqualTo(column(results.getFirst(), 4));
      assertThat(result.note()).contains("more ranks than processors");
    }
  }

  @Test
  void shouldNotWarnOfTooFewProcessorsWhenThereAreEnough() {
    List<StepResult> steps = new ArrayList<>();
    LocalRanks.run(
        1,
        session -> {
          new AllSumBenchmark(PLAN, 1, System::nanoTime).run(session, steps::add);
          return null;
        });
    assertThat(steps).hasSize(1);
    assertThat(steps.getFirst().note()).doesNotContain("more ranks than processors");
    assertThat(steps.getFirst().title()).contains("1 rank, 1 processor");
  }

  private static List<String> column(StepResult result, int index) {
    return result.rows().stream().map(row -> row.cells().get(index)).toList();
  }
}
