package io.jaccl4j.fabric.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.jaccl4j.GroupSettings;
import io.jaccl4j.GroupSettings.QueuePairType;
import io.jaccl4j.Topology;
import io.jaccl4j.WireMode;
import io.jaccl4j.engine.NanoClock;
import io.jaccl4j.testing.GuardedBuffers;
import io.jaccl4j.testing.LocalRanks;
import io.jaccl4j.testing.Workload;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Groups over the emulated provider, without faults. */
@Timeout(120)
class VerbsGroupTest {
  private static final int FORMATIONS = 100;

  private EmulatedVerbs emulated;

  @BeforeEach
  void load() {
    emulated = EmulatedVerbs.fresh();
  }

  /** One kind of group. */
  record Shape(Topology topology, int size, int wires, WireMode wire, QueuePairType type) {}

  static List<Shape> shapes() {
    List<Shape> shapes = new ArrayList<>();
    for (QueuePairType type : List.of(QueuePairType.RC, QueuePairType.UC)) {
      for (WireMode wire : WireMode.values()) {
        for (int size = 2; size <= 4; size++) {
          shapes.add(new Shape(Topology.MESH, size, 1, wire, type));
          shapes.add(new Shape(Topology.RING, size, 1, wire, type));
          shapes.add(new Shape(Topology.RING, size, 2, wire, type));
        }
      }
    }
    return shapes;
  }

  private GroupSettings settings(Shape shape) {
    return emulated
        .settings(shape.size())
        .withTopology(shape.topology())
        .withWire(shape.wire())
        .withRing(new GroupSettings.Ring(shape.wires(), 32768, 65536, false))
        .withVerbs(emulated.verbs(shape.type(), "emu0", "emu1"));
  }

  static LocalRanks form(GroupSettings settings) {
    return LocalRanks.form(settings, new VerbsFabricProvider(System::nanoTime), NanoClock.SYSTEM);
  }

  static void runWorkloads(LocalRanks ranks, boolean registered) {
    try (Arena arena = Arena.ofShared()) {
      for (Workload workload : Workload.values()) {
        List<Boolean> right =
            ranks.onAll(
                session -> {
                  GuardedBuffers buffers = new GuardedBuffers(session, arena, registered);
                  return workload.isRight(session, arena, buffers, false) && buffers.areIntact();
                });
        assertThat(right).as("%s", workload).containsOnly(true);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void shouldGiveRightResults(Shape shape) {
    if (shape.type() == QueuePairType.UC && shape.wire() == WireMode.MLX) {
      // Without credits of our own, only a provider that holds senders will do.
      emulated.set("hold_unreliable", 1);
    }
    try (LocalRanks ranks = form(settings(shape))) {
      runWorkloads(ranks, false);
      runWorkloads(ranks, true);
    }
    emulated.checkQuiet();
  }

  @ParameterizedTest
  @EnumSource
  void shouldGiveRightResultsHoweverLateMessagesAre(WireMode wire) {
    emulated.set("delay_micros", 300);
    try (LocalRanks ranks = form(emulated.settings(3).withWire(wire))) {
      runWorkloads(ranks, true);
    }
    emulated.checkQuiet();
  }

  /**
   * A rank far ahead of its peer has sends that wait for credit when its last operation is over.
   */
  @Test
  void shouldLetSendsGoOnWhileTheirRankIsIdle() {
    int messages = 40;
    emulated.set("acknowledge_early", 1);
    try (LocalRanks ranks = form(emulated.settings(2).withOperationTimeout(Duration.ofSeconds(5)));
        Arena arena = Arena.ofShared()) {
      MemorySegment sent = arena.allocate(64).fill((byte) 7);
      MemorySegment got = arena.allocate(64);
      int early = 10;
      for (int i = 0; i < early; i++) {
        ranks.group(0).send(sent, 1);
      }
      for (int i = 0; i < early; i++) {
        ranks.group(1).recv(got.fill((byte) 0), 0);
        assertThat(got.mismatch(sent)).as("message %d", i).isEqualTo(-1);
      }
      for (int i = early; i < messages; i++) {
        ranks.group(0).send(sent, 1);
        ranks.group(1).recv(got, 0);
      }
    }
    emulated.checkQuiet();
  }

  @Test
  void shouldSpeakToAThunderboltProviderAsJacclDoes() {
    for (int device = 0; device < 2; device++) {
      emulated.setDevice(device, "link_layer", 100);
    }
    emulated.set("hold_unreliable", 1).set("count_frames", 1).set("max_qp", 10);
    try (LocalRanks ranks =
        form(emulated.settings(3).withWire(WireMode.MLX).withTopology(Topology.MESH))) {
      assertThat(ranks.group(0).describe()).contains("UC queue pairs");
      runWorkloads(ranks, false);
    }
    emulated.checkQuiet();
  }

  @Test
  void shouldRegisterWithAllAccessWhereLessIsRefused() {
    emulated.set("refuse_local_write", 1);
    try (LocalRanks ranks = form(emulated.settings(2))) {
      runWorkloads(ranks, true);
    }
    emulated.checkQuiet();
  }

  @ParameterizedTest
  @EnumSource
  void shouldCutTheSlabIntoRegionsThatTheProviderTakes(WireMode wire) {
    emulated.set("max_mr_size", 300_000);
    // The provider refuses a request whose bytes are not all in the region of its key.
    try (LocalRanks ranks = form(emulated.settings(3).withWire(wire))) {
      assertThat(ranks.group(0).describe())
          .containsPattern("registered bytes in \\d\\d regions each");
      runWorkloads(ranks, false);
      runWorkloads(ranks, true);
    }
    emulated.checkQuiet();
  }

  @Test
  void shouldUseTheSmallerMtuOfBothEnds() {
    emulated.setDevice(0, "active_mtu", 5).setDevice(1, "active_mtu", 3);
    GroupSettings settings =
        emulated
            .settings(2)
            .withTopology(Topology.RING)
            .withRing(new GroupSettings.Ring(2, 32768, 65536, false))
            .withVerbs(emulated.verbs(QueuePairType.RC, "emu0", "emu1"));
    // The provider refuses a path MTU above the port's.
    try (LocalRanks ranks = form(settings)) {
      runWorkloads(ranks, false);
    }
    emulated.checkQuiet();
  }

  @Test
  void shouldLeaveNothingBehindHoweverOftenGroupsForm() {
    for (int formation = 0; formation < FORMATIONS; formation++) {
      try (LocalRanks ranks = form(emulated.settings(2))) {
        ranks.runOnAll(session -> session.barrier());
      }
      assertThat(emulated.get("live")).as("after formation %d", formation).isZero();
    }
    emulated.checkQuiet();
  }
}
