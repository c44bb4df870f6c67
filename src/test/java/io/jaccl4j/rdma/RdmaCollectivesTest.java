package io.jaccl4j.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import io.jaccl4j.Dtype;
import io.jaccl4j.GroupSettings;
import io.jaccl4j.Topology;
import io.jaccl4j.WireMode;
import io.jaccl4j.engine.NanoClock;
import io.jaccl4j.fabric.verbs.VerbsFabricProvider;
import io.jaccl4j.testing.LocalRanks;
import io.jaccl4j.testing.RoughFloats;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Groups of threads of this JVM over real devices. */
@Tag("rdma")
@Timeout(120)
class RdmaCollectivesTest {

  @ParameterizedTest
  @CsvSource({
    "MESH, 2, 1, EXACT", "MESH, 3, 1, MLX", "MESH, 4, 1, EXACT",
    "RING, 2, 1, MLX", "RING, 3, 2, EXACT", "RING, 4, 1, EXACT",
  })
  void shouldSumOnAllRanks(Topology topology, int size, int wires, WireMode wire) {
    VerbsFabricProvider provider = RdmaDevices.assumePresent();
    GroupSettings settings =
        RdmaDevices.settings("sum", size)
            .withTopology(topology)
            .withWire(wire)
            .withRing(new GroupSettings.Ring(wires, 32768, 65536, false));
    try (LocalRanks ranks = LocalRanks.form(settings, provider, NanoClock.SYSTEM);
        Arena arena = Arena.ofShared()) {
      for (int count : new int[] {1, 1000, 8193, 50_000, 300_001}) {
        MemorySegment want = RoughFloats.fillSums(arena.allocate(4L * count, 64), size);
        List<MemorySegment> got =
            ranks.onAll(
                session -> {
                  MemorySegment data =
                      RoughFloats.fill(arena.allocate(4L * count, 64), session.rank());
                  session.allSum(data, data, Dtype.FLOAT32);
                  return data;
                });
        assertThat(got)
            .as("%d elements", count)
            .allSatisfy(data -> assertThat(data.mismatch(got.getFirst())).isEqualTo(-1));
        if (topology == Topology.MESH && wire == WireMode.EXACT) {
          assertThat(got.getFirst().mismatch(want)).isEqualTo(-1);
        }
      }
    }
  }
}
