package io.jaccl4j.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class BenchmarkPlanTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  @Test
  void shouldGoFromMinToMax() {
    assertThat(BenchmarkPlan.ofRange(4, 1 << 20, SECOND).sizesBytes())
        .containsExactly(4L, 64L, 1024L, 16384L, 262144L, 1048576L);
    assertThat(BenchmarkPlan.ofRange(8, 8, SECOND).sizesBytes()).containsExactly(8L);
    assertThat(BenchmarkPlan.ofRange(4, 100, SECOND).sizesBytes()).containsExactly(4L, 64L, 100L);
  }

  @Test
  void shouldRefuseSizesThatAreNoFloats() {
    assertThatThrownBy(() -> BenchmarkPlan.ofRange(6, 8, SECOND))
        .hasMessageContaining("is 6 bytes");
    assertThatThrownBy(() -> BenchmarkPlan.ofRange(8, 4, SECOND)).hasMessageContaining("8 to 4");
    assertThatThrownBy(() -> BenchmarkPlan.ofRange(0, 4, SECOND)).hasMessageContaining("0 to 4");
    assertThatThrownBy(() -> new BenchmarkPlan(List.of(4L), Duration.ZERO))
        .hasMessageContaining("time per size");
  }
}
