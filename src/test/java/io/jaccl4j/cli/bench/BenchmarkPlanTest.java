package io.jaccl4j.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jaccl4j.Dtype;
import io.jaccl4j.cli.bench.exchange.Operation;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class BenchmarkPlanTest {

  @Test
  void shouldGoFromMinToMax() {
    assertThat(BenchmarkPlan.sizes(8, 64, 2)).containsExactly(8L, 16L, 32L, 64L);
    assertThat(BenchmarkPlan.sizes(8, 8, 2)).containsExactly(8L);
    assertThat(BenchmarkPlan.sizes(4, 100, 4)).containsExactly(4L, 16L, 64L, 100L);
  }

  @Test
  void shouldRefuseRangesThatAreNone() {
    assertThatThrownBy(() -> BenchmarkPlan.sizes(8, 4, 2)).hasMessageContaining("8 to 4");
    assertThatThrownBy(() -> BenchmarkPlan.sizes(0, 4, 2)).hasMessageContaining("0 to 4");
    assertThatThrownBy(() -> BenchmarkPlan.sizes(4, 8, 1)).hasMessageContaining("factor is 1");
    assertThatThrownBy(() -> Effort.ofTime(Duration.ZERO)).hasMessageContaining("time per size");
    assertThatThrownBy(() -> new Effort(Duration.ofSeconds(1), -1)).hasMessageContaining("-1");
  }

  @Test
  void shouldRoundSizesToWhatFitsEveryRank() {
    assertThat(plan(Operation.ALL_GATHER, List.of(8L, 16L, 17L, 100L), false).sizesFor(3))
        .containsExactly(12L, 96L);
    assertThat(plan(Operation.BARRIER, List.of(8L), false).sizesFor(3)).containsExactly(0L);
    assertThatThrownBy(() -> plan(Operation.ALL_GATHER, List.of(8L), false).sizesFor(3))
        .hasMessageContaining("less than one element (4 bytes) for each of the ranks");
    assertThatThrownBy(() -> plan(Operation.SEND_RECV, List.of(8L), false).sizesFor(1))
        .hasMessageContaining("2 ranks");
  }

  @Test
  void shouldRefuseInPlaceWhereThereAreTwoBuffers() {
    assertThatThrownBy(() -> plan(Operation.ALL_TO_ALL, List.of(8L), true))
        .hasMessageContaining("all_to_all has separate buffers");
    assertThat(plan(Operation.BROADCAST, List.of(8L), true).inPlace()).isTrue();
  }

  private static BenchmarkPlan plan(Operation operation, List<Long> sizes, boolean inPlace) {
    return new BenchmarkPlan(
        operation,
        Dtype.FLOAT32,
        sizes,
        inPlace,
        false,
        false,
        List.of(Mode.SESSION),
        Effort.ofTime(Duration.ofSeconds(1)));
  }
}
