package io.jaccl4j.fabric.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.jaccl4j.AllGather;
import io.jaccl4j.FormationException;
import io.jaccl4j.GroupMember;
import io.jaccl4j.GroupSettings;
import io.jaccl4j.GroupSettings.QueuePairType;
import io.jaccl4j.Topology;
import io.jaccl4j.engine.NanoClock;
import io.jaccl4j.fabric.Fabric;
import io.jaccl4j.fabric.FabricRequest;
import io.jaccl4j.fabric.NativeCalls;
import io.jaccl4j.fabric.ProvenFabric;
import io.jaccl4j.fabric.Wire;
import io.jaccl4j.fabric.verbs.abi.Errno;
import io.jaccl4j.sidechannel.MemoryAllGather;
import io.jaccl4j.testing.LocalRanks;
import io.jaccl4j.testing.LogCapture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Cables that are not where the configuration has them. */
@Timeout(60)
class WireProofTest {
  private static final Duration FORMATION = Duration.ofSeconds(4);

  private EmulatedVerbs emulated;

  @BeforeEach
  void load() {
    emulated = EmulatedVerbs.fresh();
  }

  private GroupSettings settings(int size, QueuePairType type, boolean pairWires) {
    GroupSettings.Verbs verbs = emulated.verbs(type, "emu0", "emu1");
    return emulated
        .settings(size)
        .withTopology(Topology.RING)
        .withRing(new GroupSettings.Ring(2, 32768, 65536, false))
        .withFormationTimeout(FORMATION)
        .withVerbs(
            new GroupSettings.Verbs(
                verbs.library(),
                verbs.devices(),
                verbs.deviceMatrix(),
                verbs.queuePair(),
                verbs.gidIndex(),
                pairWires,
                verbs.trace()));
  }

  private List<Throwable> failures(GroupSettings settings) {
    long beganNanos = System.nanoTime();
    try (LocalRanks ranks =
        LocalRanks.start(settings, new VerbsFabricProvider(System::nanoTime), NanoClock.SYSTEM)) {
      return ranks.all().stream()
          .map(rank -> catchThrowable(() -> LocalRanks.get(rank.formed())))
          .toList();
    } finally {
      assertThat(Duration.ofNanos(System.nanoTime() - beganNanos))
          .isLessThan(FORMATION.plusSeconds(1));
      Awaitility.await().untilAsserted(emulated::checkQuiet);
    }
  }

  private void assertNotFormed(GroupSettings settings, String... words) {
    assertThat(failures(settings))
        .allSatisfy(
            failure ->
                assertThat(failure)
                    .isInstanceOf(FormationException.class)
                    .hasMessageContainingAll(words));
  }

  @ParameterizedTest
  @CsvSource({"2, RC", "3, RC", "2, UC"})
  void shouldSayWhichEndReachesWhichWhereCablesAreCrossed(int size, QueuePairType type) {
    emulated.set("crossed", 1);
    assertNotFormed(
        settings(size, type, false),
        "wire 0: device emu0 of rank 0 (test://host:9000) reaches device emu1 of rank 1"
            + " (test://host:9001), not device emu0 of rank 1 (test://host:9001)",
        "wire 1: device emu1 of rank 0 (test://host:9000) reaches device emu0 of rank 1",
        "the cables are crossed",
        "jaccl4j.verbs.pair-wires = on");
  }

  @ParameterizedTest
  @EnumSource(
      value = QueuePairType.class,
      names = {"RC", "UC"})
  void shouldPairWiresByWhatTheyReach(QueuePairType type) {
    emulated.set("crossed", 1);
    try (LogCapture log = LogCapture.debug(WireProof.class.getName());
        LocalRanks ranks = VerbsGroupTest.form(settings(2, type, true))) {
      VerbsGroupTest.runWorkloads(ranks, true);
      assertThat(ranks.group(0).describe())
          .contains(
              "paired by what they reach (wire 0: device emu0 of rank 0 (test://host:9000) and"
                  + " device emu1 of rank 1 (test://host:9001)");
      assertThat(log.lines())
          .filteredOn(line -> line.startsWith("WARN"))
          .hasSize(2)
          .allSatisfy(line -> assertThat(line).contains("cables are crossed", "emu0", "emu1"));
    }
    emulated.checkQuiet();
  }

  @Test
  void shouldNotPairAnewWhatWorksAsConfigured() {
    try (LogCapture log = LogCapture.debug(WireProof.class.getName());
        LocalRanks ranks = VerbsGroupTest.form(settings(3, QueuePairType.RC, true))) {
      VerbsGroupTest.runWorkloads(ranks, false);
      assertThat(ranks.group(0).describe()).doesNotContain("paired");
      assertThat(log.lines()).isEmpty();
    }
    emulated.checkQuiet();
  }

  @ParameterizedTest
  @CsvSource({"RC, IBV_WC_RETRY_EXC_ERR (12)", "UC, nothing arrives"})
  void shouldNameTheEndsThatNothingGetsThroughBetween(QueuePairType type, String obstacle) {
    emulated.setDevice(1, "cut", 1);
    assertNotFormed(
        settings(2, type, true),
        "wire 1: nothing gets through between device emu1 of rank 0 (test://host:9000) and device"
            + " emu1 of rank 1 (test://host:9001)",
        obstacle,
        "check the cable between the two");
  }

  @Test
  void shouldNameTheEndsOfAnOnlyWire() {
    emulated.setDevice(0, "cut", 1);
    assertNotFormed(
        emulated.settings(3).withFormationTimeout(FORMATION).withTopology(Topology.MESH),
        "wire 0: nothing gets through between device emu0 of rank 0",
        "wire 1: nothing gets through between device emu0 of rank 0",
        "wire 2: nothing gets through between device emu0 of rank 1");
  }

  @ParameterizedTest
  @CsvSource({"ibv_create_qp, 9", "ibv_modify_qp(1), 9", "ibv_modify_qp(2), 9"})
  void shouldTellAllRanksWhenWiresCannotBeMadeAnew(String call, int at) {
    // Two ranks make eight queue pairs for two wires a cable before any is made anew.
    emulated.set("crossed", 1).fail(call, at, Errno.EBUSY);
    assertNotFormed(
        settings(2, QueuePairType.RC, true),
        "could not try links",
        call.replaceAll("\\(.*", ""),
        "errno 16 (EBUSY)");
  }

  @Test
  void shouldNotTakeAStrangerForThePeer() throws Exception {
    AllGather.Factory sideChannel = new MemoryAllGather();
    List<CompletableFuture<Map<Integer, String>>> proofs;
    try (var threads = Executors.newFixedThreadPool(2)) {
      // Two formations that have got hold of each other's queue pairs.
      proofs =
          IntStream.range(0, 2)
              .mapToObj(
                  rank ->
                      CompletableFuture.supplyAsync(
                          () -> prove(rank, 1 + rank, sideChannel.open(rank, 2)), threads))
              .toList();
    }
    for (CompletableFuture<Map<Integer, String>> proof : proofs) {
      assertThat(proof.get())
          .extractingByKey(0)
          .asString()
          .contains(
              "nothing gets through",
              "rank 0: what arrives is of device emu0 of rank 1, wire 0 in epoch 2",
              "rank 1: what arrives is of device emu0 of rank 0, wire 0 in epoch 1");
    }
    emulated.checkQuiet();
  }

  /**
   * Ranks 0 and 1 have two dead cables, ranks 1 and 2 a good one, for which rank 1 has no device of
   * its own. That device breaks once it is gathered what is wrong, which new ends there are, or
   * that all are connected.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void shouldNameAProvenWireThatFailsWhileOthersAreTried(int gatherings) throws Exception {
    emulated.set("devices", 5).setDevice(2, "cut", 1).setDevice(3, "cut", 1);
    List<Wire> wires = List.of(new Wire(0, 0, 1), new Wire(1, 0, 1), new Wire(2, 1, 2));
    List<GroupSettings.Verbs> devices =
        List.of(
            emulated.verbs(QueuePairType.RC, "emu2", "emu3"),
            emulated.verbs(QueuePairType.RC, "emu0", "emu1"),
            emulated.verbs(QueuePairType.RC, "emu4"));
    AllGather.Factory sideChannel = new MemoryAllGather();
    List<CompletableFuture<Map<Integer, String>>> proofs = new ArrayList<>();
    try (var threads = Executors.newFixedThreadPool(devices.size())) {
      for (int rank = 0; rank < devices.size(); rank++) {
        int own = rank;
        GroupSettings settings = emulated.settings(devices.size()).withVerbs(devices.get(rank));
        AllGather channel = sideChannel.open(rank, devices.size());
        AtomicInteger over = new AtomicInteger();
        ProvenFabric.Gathering gathering =
            contribution -> {
              List<byte[]> all = channel.allGather(contribution, FORMATION.toNanos());
              if (over.incrementAndGet() == gatherings) {
                emulated.setDevice(0, "broken", 1);
              }
              return all;
            };
        proofs.add(
            CompletableFuture.supplyAsync(
                () -> prove(settings, own, 1, wires, channel, gathering), threads));
      }
    }
    for (CompletableFuture<Map<Integer, String>> proof : proofs) {
      assertThat(proof.get()).containsOnlyKeys(0, 1, 2);
      assertThat(proof.get().get(1)).contains("nothing gets through");
      assertThat(proof.get().get(2))
          .isEqualTo("rank 1: IBV_WC_WR_FLUSH_ERR (5), after it had worked");
    }
    emulated.checkQuiet();
  }

  private Map<Integer, String> prove(int rank, long epoch, AllGather sideChannel) {
    return prove(
        emulated.settings(2),
        rank,
        epoch,
        List.of(new Wire(0, 0, 1)),
        sideChannel,
        contribution -> sideChannel.allGather(contribution, FORMATION.toNanos()));
  }

  private static Map<Integer, String> prove(
      GroupSettings settings,
      int rank,
      long epoch,
      List<Wire> wires,
      AllGather sideChannel,
      ProvenFabric.Gathering gathering) {
    List<GroupMember> members =
        IntStream.range(0, settings.size())
            .mapToObj(
                member -> new GroupMember(member, "test://host:" + (9000 + member), 0, "host"))
            .toList();
    long nanos = FORMATION.toNanos();
    FabricRequest request =
        new FabricRequest(settings, epoch, rank, members, wires, 3, nanos, new NativeCalls());
    try (Fabric fabric = new VerbsFabricProvider(System::nanoTime).open(request)) {
      fabric.connect(sideChannel.allGather(fabric.destination(), nanos));
      sideChannel.allGather(new byte[0], nanos);
      return ((ProvenFabric) fabric).prove(gathering, nanos);
    }
  }
}
