package io.jaccl4j.fabric.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.jaccl4j.FormationException;
import io.jaccl4j.GroupSettings;
import io.jaccl4j.GroupSettings.QueuePairType;
import io.jaccl4j.engine.NanoClock;
import io.jaccl4j.fabric.verbs.abi.Errno;
import io.jaccl4j.fabric.verbs.abi.VerbsLibrary;
import io.jaccl4j.testing.LocalRanks;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Groups of one process share a device's limits. */
@Timeout(60)
class DeviceLedgerTest {
  private static final DeviceShare NOTHING = new DeviceShare(0, 0, 0, 0);

  private EmulatedVerbs emulated;

  @BeforeEach
  void load() {
    emulated = EmulatedVerbs.fresh();
  }

  private GroupSettings settings(String name) {
    return emulated.settings(2).withName(name).withFormationTimeout(Duration.ofSeconds(4));
  }

  private DeviceLedger ledger() {
    return DeviceLedger.of(
        (VerbsLibrary.Loaded) VerbsLibrary.load(Optional.of(emulated.library())));
  }

  private static List<Throwable> failures(GroupSettings settings) {
    try (LocalRanks ranks =
        LocalRanks.start(settings, new VerbsFabricProvider(System::nanoTime), NanoClock.SYSTEM)) {
      return ranks.all().stream()
          .map(rank -> catchThrowable(() -> LocalRanks.get(rank.formed())))
          .toList();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "max_qp, queue pairs",
    "max_mr, memory regions",
    "max_cq, completion queues",
    "max_pd, protection domains"
  })
  void shouldRefuseASecondGroupWithTheArithmetic(String limit, String kind) {
    emulated.set(limit, 2);
    try (LocalRanks first = VerbsGroupTest.form(settings("first"))) {
      for (int attempt = 0; attempt < 2; attempt++) {
        long calls = emulated.get("live");
        assertThat(failures(settings("second")))
            .allSatisfy(
                failure ->
                    assertThat(failure)
                        .isInstanceOf(FormationException.class)
                        .hasMessageContainingAll(
                            "device emu0: needs 1 " + kind + ", 0 left of 2",
                            "in this process 2 are used",
                            "1 by group [first] rank 0",
                            "1 by group [first] rank 1",
                            "close groups that are not needed"));
        assertThat(emulated.get("live")).isEqualTo(calls);
      }
      first.runOnAll(session -> session.barrier());
    }
    assertThat(ledger().used("emu0")).isEqualTo(NOTHING);
    try (LocalRanks second = VerbsGroupTest.form(settings("second"))) {
      second.runOnAll(session -> session.barrier());
    }
    emulated.checkQuiet();
  }

  @Test
  void shouldFitTwoGroupsOnADeviceOfFewQueuePairsAndRegions() {
    emulated.set("max_qp", 10).set("max_mr", 100);
    try (LocalRanks first = VerbsGroupTest.form(settings("first").withSize(2));
        LocalRanks second = VerbsGroupTest.form(settings("second").withSize(2))) {
      first.runOnAll(session -> session.barrier());
      second.runOnAll(session -> session.barrier());
      assertThat(ledger().used("emu0")).isEqualTo(new DeviceShare(4, 4, 4, 4));
    }
    assertThat(ledger().used("emu0")).isEqualTo(NOTHING);
    emulated.checkQuiet();
  }

  @Test
  void shouldCountEachDeviceForItself() {
    emulated.set("max_qp", 2);
    try (LocalRanks first = VerbsGroupTest.form(settings("first"));
        LocalRanks second =
            VerbsGroupTest.form(
                settings("second").withVerbs(emulated.verbs(QueuePairType.AUTO, "emu1")))) {
      first.runOnAll(session -> session.barrier());
      second.runOnAll(session -> session.barrier());
    }
    emulated.checkQuiet();
  }

  @ParameterizedTest
  @CsvSource({"ibv_alloc_pd", "ibv_create_cq", "ibv_reg_mr", "ibv_create_qp", "ibv_modify_qp(2)"})
  void shouldGiveASharesBackWhenAFormationFails(String call) {
    emulated.fail(call, 1, Errno.EBUSY).fail(call, 2, Errno.EBUSY).fail(call, 3, Errno.EBUSY);
    assertThat(failures(settings("first"))).doesNotContainNull();
    Awaitility.await().untilAsserted(emulated::checkQuiet);
    assertThat(ledger().used("emu0")).isEqualTo(NOTHING);
  }

  @Test
  void shouldTakeAppleSProviderAtItsDocumentedLimits() {
    DeviceLimits told = new DeviceLimits(11, 4095, 4096, 0, -1, 0, 1L << 40);
    DeviceLimits known = told.onThunderbolt();
    assertThat(known.maxQueuePairs()).isEqualTo(10);
    assertThat(known.maxMemoryRegions()).isEqualTo(100);
    assertThat(known.maxRegionBytes()).isEqualTo(1L << 30);
    // All bits set is the largest size, not a negative one; nothing told is not no limit.
    DeviceLimits boundless = new DeviceLimits(0, 1, 1, 1, 0, 1, -1).onThunderbolt();
    assertThat(boundless.maxRegionBytes()).isEqualTo(1L << 30);
    assertThat(boundless.maxMemoryRegions()).isEqualTo(100);
    assertThat(boundless.maxQueuePairs()).isEqualTo(10);
    assertThat(new DeviceLimits(4, 1, 1, 1, 50, 1, 4096).onThunderbolt())
        .isEqualTo(new DeviceLimits(4, 1, 1, 1, 50, 1, 4096));
  }
}
