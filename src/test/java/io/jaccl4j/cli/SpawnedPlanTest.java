package io.jaccl4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.jaccl4j.Dtype;
import io.jaccl4j.Topology;
import io.jaccl4j.WireMode;
import io.jaccl4j.cli.bench.BenchmarkPlan;
import io.jaccl4j.cli.bench.Effort;
import io.jaccl4j.cli.bench.Mode;
import io.jaccl4j.cli.bench.exchange.Operation;
import io.jaccl4j.testing.TestSettings;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class SpawnedPlanTest {

  @Command
  private static final class Holder {
    @Mixin private SpawnedPlan plan;
  }

  @Test
  void shouldReadWhatItWrites() {
    for (boolean flag : new boolean[] {false, true}) {
      BenchmarkPlan plan =
          new BenchmarkPlan(
              Operation.ALL_GATHER,
              Dtype.BFLOAT16,
              List.of(8L, 1L << 30),
              flag,
              flag,
              flag,
              flag ? List.of(Mode.SESSION, Mode.HAND_OVER) : List.of(Mode.HAND_OVER),
              new Effort(Duration.ofNanos(123_456_789), flag ? 17 : 0));
      Holder holder = new Holder();
      new CommandLine(holder).parseArgs(SpawnedPlan.arguments(plan).toArray(String[]::new));
      assertThat(holder.plan.plan()).isEqualTo(plan);
    }
  }

  @Test
  void shouldShapeTheGroupAndLeaveTheRestAlone() {
    var settings = TestSettings.of("shape", 4);
    var shaped = new GroupShape("tcp", Topology.RING, 3, WireMode.MLX).apply(settings);
    assertThat(shaped.fabric()).isEqualTo("tcp");
    assertThat(shaped.topology()).isEqualTo(Topology.RING);
    assertThat(shaped.wire()).isEqualTo(WireMode.MLX);
    assertThat(shaped.ring().wires()).isEqualTo(3);
    assertThat(shaped.ring().smallBytes()).isEqualTo(settings.ring().smallBytes());
    assertThat(GroupShape.DEFAULT.apply(settings)).isEqualTo(settings.withFabric("auto"));
  }
}
