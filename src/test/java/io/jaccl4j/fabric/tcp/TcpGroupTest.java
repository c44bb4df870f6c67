package io.jaccl4j.fabric.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.jaccl4j.GroupSettings;
import io.jaccl4j.Topology;
import io.jaccl4j.WireMode;
import io.jaccl4j.engine.NanoClock;
import io.jaccl4j.testing.GuardedBuffers;
import io.jaccl4j.testing.LocalRanks;
import io.jaccl4j.testing.TestSettings;
import io.jaccl4j.testing.Workload;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Groups over sockets of this machine, without faults. */
@Timeout(120)
class TcpGroupTest {

  /** One kind of group. */
  record Shape(Topology topology, int size, int wires, WireMode wire, int sockets) {
    GroupSettings settings() {
      return TestSettings.of("tcp", size)
          .withFabric("tcp")
          .withTopology(topology)
          .withWire(wire)
          .withRing(new GroupSettings.Ring(wires, 32768, 65536, false))
          .withTcp(new GroupSettings.Tcp("auto", List.of(), 0, sockets, 0, 0));
    }
  }

  static List<Shape> shapes() {
    List<Shape> shapes = new ArrayList<>();
    for (WireMode wire : WireMode.values()) {
      for (int size = 2; size <= 4; size++) {
        shapes.add(new Shape(Topology.MESH, size, 1, wire, 1));
        shapes.add(new Shape(Topology.RING, size, 1, wire, 1));
        shapes.add(new Shape(Topology.RING, size, 2, wire, 1));
      }
      shapes.add(new Shape(Topology.MESH, 3, 1, wire, 2));
      shapes.add(new Shape(Topology.RING, 3, 2, wire, 3));
    }
    shapes.add(new Shape(Topology.MESH, 2, 1, WireMode.EXACT, 8));
    shapes.add(new Shape(Topology.MESH, 5, 1, WireMode.EXACT, 3));
    shapes.add(new Shape(Topology.MESH, 7, 1, WireMode.EXACT, 1));
    return shapes;
  }

  static LocalRanks form(GroupSettings settings) {
    return LocalRanks.form(settings, new TcpFabricProvider(System::nanoTime), NanoClock.SYSTEM);
  }

  static void runWorkloads(LocalRanks ranks, boolean registered, boolean inPlace) {
    try (Arena arena = Arena.ofShared()) {
      for (Workload workload : Workload.values()) {
        List<Boolean> right =
            ranks.onAll(
                session -> {
                  GuardedBuffers buffers = new GuardedBuffers(session, arena, registered);
                  return workload.isRight(session, arena, buffers, inPlace) && buffers.areIntact();
                });
        assertThat(right).as("%s", workload).containsOnly(true);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void shouldGiveRightResults(Shape shape) {
    try (LocalRanks ranks = form(shape.settings())) {
      runWorkloads(ranks, false, false);
      runWorkloads(ranks, true, false);
      runWorkloads(ranks, false, true);
      runWorkloads(ranks, true, true);
    }
  }
}
