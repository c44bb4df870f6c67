package io.jaccl4j.fabric.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.jaccl4j.FormationException;
import io.jaccl4j.GroupSettings;
import io.jaccl4j.GroupSettings.QueuePairType;
import io.jaccl4j.WireMode;
import io.jaccl4j.engine.NanoClock;
import io.jaccl4j.fabric.verbs.EmulatedVerbs.GidKind;
import io.jaccl4j.fabric.verbs.abi.Errno;
import io.jaccl4j.testing.ChildJvm;
import io.jaccl4j.testing.LocalRanks;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What goes wrong before the links are up: named, bounded, and nothing is left. */
@Timeout(120)
class VerbsFormationFaultsTest {
  private static final int EBUSY = 16;
  private static final int EOPNOTSUPP = 95;

  @TempDir Path directory;

  private EmulatedVerbs emulated;

  @BeforeEach
  void load() {
    emulated = EmulatedVerbs.fresh();
  }

  private GroupSettings settings() {
    return emulated.settings(2).withFormationTimeout(Duration.ofSeconds(4));
  }

  /** What each rank's formation fails with, once all have ended. */
  private List<Throwable> failures(GroupSettings settings) {
    LocalRanks ranks =
        LocalRanks.start(settings, new VerbsFabricProvider(System::nanoTime), NanoClock.SYSTEM);
    try (ranks) {
      return ranks.all().stream()
          .map(rank -> catchThrowable(() -> LocalRanks.get(rank.formed())))
          .toList();
    } finally {
      // The engine threads give everything back after they have failed their futures.
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

  static Stream<Arguments> refusedCalls() {
    return Stream.of(
            "ibv_open_device", "ibv_alloc_pd", "ibv_create_cq", "ibv_reg_mr", "ibv_create_qp")
        .flatMap(
            call ->
                Stream.of(
                        "12:ENOMEM",
                        "13:EACCES",
                        "16:EBUSY",
                        "22:EINVAL",
                        "95:EOPNOTSUPP",
                        "19:ENODEV")
                    .map(errno -> Arguments.of(call, errno)));
  }

  @ParameterizedTest
  @MethodSource("refusedCalls")
  void shouldNameTheCallAndTheError(String call, String errno) {
    int number = Integer.parseInt(errno.substring(0, errno.indexOf(':')));
    String name = errno.substring(errno.indexOf(':') + 1);
    // Registration is tried a second time with all access.
    for (int at = 1; at <= 2; at++) {
      emulated.fail(call, 1, number);
    }
    emulated.fail(call, 2, number);
    emulated.fail(call, 3, number);
    assertNotFormed(settings(), "emu0", call, "errno " + number + " (" + name + ")");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ibv_open_device | may this user use it, and is its driver loaded?",
        "ibv_alloc_pd | stale resources of earlier processes",
        "ibv_reg_mr | bytes; raise the limit of locked memory (ulimit -l)",
        "ibv_create_qp | too many queue pairs in use"
      })
  void shouldSayWhatToDoWhenACallIsRefused(String call, String remedy) {
    for (int at = 1; at <= 2; at++) {
      emulated.fail(call, at, Errno.ENOMEM);
    }
    assertNotFormed(settings(), call + " failed", "errno 12 (ENOMEM)", remedy);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "16 | EBUSY | stale resources of an earlier process",
        "22 | EINVAL | is the GID still there, and the interface out of any bridge?",
        "110 | ETIMEDOUT | is the peer's address reachable from this port?"
      })
  void shouldSayWhatToDoWhenThePeerCannotBeReached(int errno, String name, String remedy) {
    emulated.fail("ibv_modify_qp(2)", 1, errno);
    assertNotFormed(
        settings(),
        "ibv_modify_qp to RTR failed for wire 0 to rank",
        "errno " + errno + " (" + name + ")",
        "gid 10.77.1.1, from gid index 1",
        remedy,
        "the peer is rank",
        "with its device emu0");
  }

  @ParameterizedTest
  @CsvSource({"12, ENOMEM", "13, EACCES", "16, EBUSY", "22, EINVAL", "95, EOPNOTSUPP"})
  void shouldNameTheErrorWhenDevicesCannotBeListed(int errno, String name) {
    String words = "ibv_get_device_list failed with errno " + errno + " (" + name + ")";
    emulated.fail("ibv_get_device_list", 1, errno);
    assertThat(new VerbsFabricProvider(System::nanoTime).unavailableBecause(settings()))
        .hasValueSatisfying(reason -> assertThat(reason).contains(words, "rdma link add"));
    emulated.fail("ibv_get_device_list", 1, errno);
    assertThat(DeviceSurvey.take(Optional.of(emulated.library())).hint())
        .hasValueSatisfying(hint -> assertThat(hint).contains(words));
    emulated.fail("ibv_get_device_list", 1, errno);
    assertNotFormed(settings(), words);
  }

  @Test
  void shouldTakeASystemWithoutRdmaForOneWithoutDevices() {
    int enosys = 38;
    emulated.fail("ibv_get_device_list", 1, enosys);
    assertThat(DeviceSurvey.take(Optional.of(emulated.library())).hint())
        .hasValueSatisfying(hint -> assertThat(hint).startsWith("there is no RDMA device"));
  }

  @ParameterizedTest
  @CsvSource({"1, INIT", "2, RTR", "3, RTS"})
  void shouldNameTheTransitionThatIsRefused(int state, String name) {
    emulated.fail("ibv_modify_qp(" + state + ")", 1, EBUSY);
    assertNotFormed(settings(), "ibv_modify_qp to " + name, "errno 16 (EBUSY)", "emu0");
  }

  @Test
  void shouldGiveEverythingBackWhicheverCallFails() {
    emulated.set("fail_call_error", EOPNOTSUPP);
    int formed = 0;
    int failed = 0;
    long calls = 1;
    for (; formed == 0 && calls < 500; calls++) {
      emulated.set("fail_call_at", calls);
      long before = emulated.get("control_calls");
      LocalRanks ranks =
          LocalRanks.start(settings(), new VerbsFabricProvider(System::nanoTime), NanoClock.SYSTEM);
      try (ranks) {
        List<Throwable> failures =
            ranks.all().stream()
                .map(rank -> catchThrowable(() -> LocalRanks.get(rank.formed())))
                .toList();
        if (failures.stream().allMatch(failure -> failure == null)) {
          // A GID that cannot be read is passed over, which is right too.
          formed = emulated.get("control_calls") < before + calls ? 1 : 0;
        } else {
          failed++;
          assertThat(failures)
              .allSatisfy(failure -> assertThat(failure).isInstanceOf(FormationException.class));
        }
      }
      emulated.set("fail_call_at", 1_000_000);
      Awaitility.await().untilAsserted(() -> assertThat(emulated.get("violations")).isZero());
    }
    assertThat(failed).isGreaterThan(20);
    assertThat(formed).as("formed after %d calls", calls).isOne();
  }

  @Test
  void shouldNameADeviceThatIsNotThere() {
    assertNotFormed(
        settings().withVerbs(emulated.verbs(QueuePairType.AUTO, "rdma_en99")),
        "there is no device rdma_en99, only [emu0, emu1]",
        "jaccl4j.verbs.devices");
  }

  @Test
  void shouldTellWhatToDoWhereThereIsNoDevice() {
    emulated.set("devices", 0);
    VerbsFabricProvider provider = new VerbsFabricProvider(System::nanoTime);
    assertThat(provider.unavailableBecause(settings()))
        .hasValueSatisfying(
            reason -> assertThat(reason).contains("there is no RDMA device", "rdma link add"));
    assertNotFormed(
        settings().withVerbs(emulated.verbs(QueuePairType.AUTO, "rdma_en99")),
        "there is no device rdma_en99, only []",
        "rdma link add");
  }

  @Test
  void shouldTellAllFindingsAtOnce() {
    emulated
        .setDevice(0, "port_state", 1)
        .set("max_qp", 0)
        .set("max_qp_wr", 3)
        .set("max_cqe", 5)
        .set("max_mr", 3)
        .set("max_mr_size", 1 << 16);
    assertNotFormed(
        settings().withVerbs(emulated.verbs(QueuePairType.AUTO, "emu0")),
        "device emu0: port 1 is DOWN",
        "needs 1 queue pairs, the limit is 0",
        "needs 10 sends in one queue, the limit is 3",
        "needs 20 completion entries, the limit is 5",
        // A slot of 64 KiB and a page: the least that the slab could be cut into.
        "needs 81920 bytes in one region, the limit is 65536",
        "memory regions, the limit is 3");
  }

  @Test
  void shouldTakeADeviceWhosePortIsUp() {
    emulated.setDevice(0, "port_state", 1);
    try (LocalRanks ranks = VerbsGroupTest.form(settings())) {
      assertThat(ranks.group(0).describe()).contains("emu1");
    }
    emulated.checkQuiet();
  }

  static List<List<GidKind>> usableTables() {
    return List.of(
        List.of(GidKind.LINK_LOCAL, GidKind.IPV4),
        List.of(GidKind.LINK_LOCAL, GidKind.LINK_LOCAL, GidKind.IPV4),
        List.of(GidKind.IPV4),
        List.of(GidKind.LINK_LOCAL, GidKind.EMPTY, GidKind.IPV4, GidKind.IPV4),
        List.of(GidKind.UNREADABLE, GidKind.UNREADABLE, GidKind.IPV4),
        List.of(GidKind.LINK_LOCAL, GidKind.ROUTABLE));
  }

  @ParameterizedTest
  @MethodSource("usableTables")
  void shouldFindAUsableGidWhereverItIs(List<GidKind> table) {
    emulated.setGids(0, table);
    try (LocalRanks ranks = VerbsGroupTest.form(settings())) {
      VerbsGroupTest.runWorkloads(ranks, false);
    }
    emulated.checkQuiet();
  }

  @Test
  void shouldUseTheConfiguredIndexAndNoOther() {
    emulated.setGids(0, List.of(GidKind.LINK_LOCAL, GidKind.IPV4, GidKind.EMPTY, GidKind.IPV4));
    try (LocalRanks ranks = VerbsGroupTest.form(settings().withVerbs(atIndex(3)))) {
      assertThat(ranks.group(0).describe()).contains("gid 3: 10.77.3.1");
    }
    assertNotFormed(
        settings().withVerbs(atIndex(2)),
        "emu0: its port has no usable GID at index 2",
        "1: 10.77.1.1",
        "give its network interface an IPv4 address");
  }

  private GroupSettings.Verbs atIndex(int index) {
    return new GroupSettings.Verbs(
        Optional.of(emulated.library()),
        List.of(),
        List.of(),
        QueuePairType.AUTO,
        OptionalInt.of(index),
        false,
        false);
  }

  @Test
  void shouldWaitForAnAddressThatComesLate() {
    emulated.set("ipv4_after_millis", 700);
    try (LocalRanks ranks = VerbsGroupTest.form(settings())) {
      assertThat(ranks.group(0).describe()).contains("gid 1: 10.77.1.1");
    }
    emulated.checkQuiet();
  }

  @ParameterizedTest
  @CsvSource({"0", "65535"})
  void shouldEndInBoundedTimeWithoutAnyGid(int tableLength) {
    emulated.setGids(0, List.of()).setDevice(0, "gid_table_length", tableLength);
    assertNotFormed(settings(), "emu0: its port has no usable GID, only []");
  }

  @Test
  void shouldEndInBoundedTimeWhereNoGidCanBeRead() {
    emulated.setGids(0, Collections.nCopies(16, GidKind.UNREADABLE));
    assertNotFormed(settings(), "emu0: its port has no usable GID, only []");
  }

  @Test
  void shouldUseALinkLocalAddressOnceNoBetterOneHasComeInTime() {
    emulated.setGids(0, List.of(GidKind.LINK_LOCAL, GidKind.LINK_LOCAL));
    try (LocalRanks ranks = VerbsGroupTest.form(settings())) {
      assertThat(ranks.group(0).describe()).contains("gid 0: fe80");
    }
    emulated.checkQuiet();
  }

  @Test
  void shouldSearchAddressesAndDevicesAnewInEveryFormation() {
    emulated.setGids(0, List.of(GidKind.LINK_LOCAL, GidKind.IPV4));
    try (LocalRanks ranks = VerbsGroupTest.form(settings())) {
      assertThat(ranks.group(0).describe()).contains("emu0 (gid 1: 10.77.1.1");
    }
    emulated.setGids(0, List.of(GidKind.LINK_LOCAL, GidKind.EMPTY, GidKind.IPV4));
    try (LocalRanks ranks = VerbsGroupTest.form(settings())) {
      assertThat(ranks.group(0).describe()).contains("emu0 (gid 2: 10.77.2.1");
    }
    emulated.setDevice(0, "unplugged", 1);
    try (LocalRanks ranks = VerbsGroupTest.form(settings())) {
      assertThat(ranks.group(0).describe()).contains("emu1 (gid 1: 10.77.1.2");
      VerbsGroupTest.runWorkloads(ranks, false);
    }
    emulated.checkQuiet();
  }

  @Test
  void shouldRefuseMoreFramesThanAThunderboltQueueHolds() {
    emulated.setDevice(0, "link_layer", 100);
    GroupSettings.Memory memory = settings().memory();
    // 1024 frames a slot, eight receives.
    assertNotFormed(
        settings()
            .withWire(WireMode.MLX)
            .withMemory(new GroupSettings.Memory(4 << 20, 0, memory.shmDirectory())),
        "device emu0: needs 8192 frames in one queue, the limit is 4095",
        "jaccl4j.memory.slot-bytes");
  }

  @Test
  void shouldRefuseExactMessagesWhereReceivesMustMatchInFrames() {
    emulated.setDevice(0, "link_layer", 100);
    assertNotFormed(
        settings().withWire(WireMode.EXACT), "jaccl4j.wire = mlx", "as many frames as the receive");
  }

  @Test
  void shouldRefuseReliableConnectionsWhereThereAreNone() {
    emulated.setDevice(0, "link_layer", 100);
    assertNotFormed(
        settings().withWire(WireMode.MLX).withVerbs(emulated.verbs(QueuePairType.RC)),
        "no reliable connections",
        "jaccl4j.verbs.queue-pair = auto");
  }

  @Test
  void shouldSayWhatIsWrongWithALibrary() throws Exception {
    Path text = Files.writeString(directory.resolve("libtext.so"), "not a library");
    assertThat(reason(text)).contains("libtext.so", "cannot be loaded", "jaccl4j.verbs.library");
    assertThat(reason(directory.resolve("missing.so"))).contains("missing.so", "cannot be loaded");
    Path source = Files.writeString(directory.resolve("other.c"), "int ibv_get_device_list;\n");
    Path other = new CCompiler(directory).library(source, List.of());
    assertThat(reason(other)).contains("has no [ibv_free_device_list", "ibv_query_gid");
  }

  @Test
  void shouldSayThatALibraryIsForAnotherProcessor() throws Exception {
    byte[] elf = Files.readAllBytes(emulated.library());
    int machineOffset = 18;
    elf[machineOffset] = (byte) 0xF3;
    elf[machineOffset + 1] = 0;
    Path other = Files.write(directory.resolve("other.so"), elf);
    assertThat(reason(other)).contains("other.so", "cannot be loaded", "for this processor?");
  }

  @Test
  void shouldSayWhichFlagAllowsNativeLibraries() throws Exception {
    assertThat(ChildJvm.output(DevicesStart.class, "--illegal-native-access=deny"))
        .contains("forbids calls into native libraries", "--enable-native-access=ALL-UNNAMED");
  }

  private String reason(Path library) {
    GroupSettings settings =
        settings()
            .withVerbs(
                new GroupSettings.Verbs(
                    Optional.of(library),
                    List.of(),
                    List.of(),
                    QueuePairType.AUTO,
                    OptionalInt.empty(),
                    false,
                    false));
    return new VerbsFabricProvider(System::nanoTime).unavailableBecause(settings).orElseThrow();
  }
}
