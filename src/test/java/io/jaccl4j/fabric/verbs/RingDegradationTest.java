package io.jaccl4j.fabric.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.jaccl4j.FormationException;
import io.jaccl4j.GroupSettings;
import io.jaccl4j.GroupSettings.QueuePairType;
import io.jaccl4j.Topology;
import io.jaccl4j.WireMode;
import io.jaccl4j.engine.CollectiveEngine;
import io.jaccl4j.engine.NanoClock;
import io.jaccl4j.testing.LocalRanks;
import io.jaccl4j.testing.LogCapture;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Rings of two wires a cable, one of which does not work. */
@Timeout(60)
class RingDegradationTest {
  private static final int PORT_DOWN = 1;
  private static final int PORT_ACTIVE = 4;
  private static final int IBV_EVENT_PORT_ERR = 10;

  private EmulatedVerbs emulated;

  @BeforeEach
  void load() {
    emulated = EmulatedVerbs.fresh();
  }

  private GroupSettings settings(int size, boolean degrade, String... devices) {
    return emulated
        .settings(size)
        .withTopology(Topology.RING)
        .withRing(new GroupSettings.Ring(2, 32768, 65536, degrade))
        .withFormationTimeout(Duration.ofSeconds(8))
        .withOperationTimeout(Duration.ofSeconds(3))
        .withVerbs(emulated.verbs(QueuePairType.AUTO, devices));
  }

  private List<Throwable> failures(GroupSettings settings) {
    try (LocalRanks ranks =
        LocalRanks.start(settings, new VerbsFabricProvider(System::nanoTime), NanoClock.SYSTEM)) {
      return ranks.all().stream()
          .map(rank -> catchThrowable(() -> LocalRanks.get(rank.formed())))
          .toList();
    } finally {
      Awaitility.await().untilAsserted(emulated::checkQuiet);
    }
  }

  @ParameterizedTest
  @CsvSource({"2, EXACT", "3, EXACT", "3, MLX"})
  void shouldLeaveAWireOutInTheNextEpochAndTakeItBackInALaterOne(int size, WireMode wire) {
    GroupSettings settings = settings(size, true, "emu0", "emu1").withWire(wire);
    try (LocalRanks ranks = VerbsGroupTest.form(settings)) {
      assertThat(ranks.group(0).describe()).contains("with 2 wires a cable").doesNotContain("left");
      emulated.setDevice(1, "port_state", PORT_DOWN).event(1, IBV_EVENT_PORT_ERR);
      emulated.setDevice(1, "cut", 1);
      assertThat(catchThrowable(() -> VerbsGroupTest.runWorkloads(ranks, false)))
          .hasMessageContaining("emu1");
    }
    try (LogCapture log = LogCapture.debug(CollectiveEngine.class.getName());
        LocalRanks ranks = VerbsGroupTest.form(settings)) {
      assertThat(ranks.all())
          .allSatisfy(
              rank ->
                  assertThat(rank.group().describe())
                      .contains(
                          "with 1 wire a cable",
                          "wire 1 of each cable is left out",
                          "rank 0: device emu1: port 1 is DOWN")
                      .doesNotContain("emu1 (gid"));
      assertThat(log.lines())
          .filteredOn(line -> line.startsWith("WARN"))
          .hasSize(size)
          .allSatisfy(line -> assertThat(line).contains("forms with [1] of [2] wires a cable"));
      VerbsGroupTest.runWorkloads(ranks, true);
    }
    emulated.setDevice(1, "port_state", PORT_ACTIVE).setDevice(1, "cut", 0);
    try (LocalRanks ranks = VerbsGroupTest.form(settings)) {
      assertThat(ranks.group(0).describe()).contains("with 2 wires a cable").doesNotContain("left");
      VerbsGroupTest.runWorkloads(ranks, true);
    }
    emulated.checkQuiet();
  }

  @ParameterizedTest
  @EnumSource(
      value = QueuePairType.class,
      names = {"RC", "UC"})
  void shouldLeaveAWireOutThatNothingGetsThrough(QueuePairType type) {
    emulated.setDevice(0, "cut", 1);
    GroupSettings settings = settings(2, true).withVerbs(emulated.verbs(type, "emu0", "emu1"));
    try (LocalRanks ranks = VerbsGroupTest.form(settings)) {
      assertThat(ranks.group(1).describe())
          .contains(
              "wire 0 of each cable is left out",
              "nothing gets through between device emu0 of rank 0",
              "on emu1 (gid");
      VerbsGroupTest.runWorkloads(ranks, true);
    }
    emulated.checkQuiet();
  }

  @Test
  void shouldLeaveAWireOutWhoseDeviceIsNotThere() {
    try (LocalRanks ranks = VerbsGroupTest.form(settings(3, true, "emu0", "rdma_en99"))) {
      assertThat(ranks.group(2).describe())
          .contains("wire 1 of each cable is left out", "there is no device rdma_en99");
      VerbsGroupTest.runWorkloads(ranks, false);
    }
    emulated.checkQuiet();
  }

  @Test
  void shouldNotFormWithFewerWiresUnlessAllowed() {
    emulated.setDevice(1, "port_state", PORT_DOWN);
    assertThat(failures(settings(2, false, "emu0", "emu1")))
        .allSatisfy(
            failure ->
                assertThat(failure)
                    .isInstanceOf(FormationException.class)
                    .hasMessageContaining("device emu1: port 1 is DOWN"));
  }

  @Test
  void shouldNotFormWithoutAnyWire() {
    emulated.setDevice(0, "cut", 1).setDevice(1, "port_state", PORT_DOWN);
    assertThat(failures(settings(2, true, "emu0", "emu1")))
        .allSatisfy(
            failure ->
                assertThat(failure)
                    .isInstanceOf(FormationException.class)
                    .hasMessageContainingAll(
                        "has links that do not work",
                        "wire 0: nothing gets through between device emu0 of rank 0"));
  }
}
