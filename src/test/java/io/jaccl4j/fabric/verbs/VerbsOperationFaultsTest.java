package io.jaccl4j.fabric.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.jaccl4j.Dtype;
import io.jaccl4j.GroupFailure;
import io.jaccl4j.GroupSettings;
import io.jaccl4j.GroupSettings.QueuePairType;
import io.jaccl4j.JacclException;
import io.jaccl4j.Session;
import io.jaccl4j.WireMode;
import io.jaccl4j.testing.LocalRanks;
import io.jaccl4j.testing.RoughFloats;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What goes wrong while operations run: named, bounded, and nothing is left. */
@Timeout(120)
class VerbsOperationFaultsTest {
  private static final long COUNT = 100_000;
  private static final int LOC_LEN = 1;
  private static final int GENERAL = 21;
  private static final int ENOMEM = 12;

  private EmulatedVerbs emulated;

  @BeforeEach
  void load() {
    emulated = EmulatedVerbs.fresh();
  }

  @AfterEach
  void checkQuiet() {
    Awaitility.await().untilAsserted(emulated::checkQuiet);
  }

  private GroupSettings settings() {
    return emulated.settings(2).withOperationTimeout(Duration.ofSeconds(3));
  }

  private static void sum(Session session) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment data = RoughFloats.fill(arena.allocate(4 * COUNT, 64), session.rank());
      session.allSum(data, data, Dtype.FLOAT32);
      MemorySegment want = RoughFloats.fillSums(arena.allocate(4 * COUNT, 64), session.size());
      assertThat(data.mismatch(want)).as("first wrong byte").isEqualTo(-1);
    }
  }

  /** What each rank's sum fails with; null where it succeeds. */
  private static List<Throwable> failures(LocalRanks ranks) {
    List<CompletableFuture<Void>> running =
        ranks.all().stream()
            .map(
                rank ->
                    rank.group()
                        .<Void>run(
                            session -> {
                              sum(session);
                              return null;
                            })
                        .toCompletableFuture())
            .toList();
    return running.stream().map(run -> catchThrowable(() -> LocalRanks.get(run))).toList();
  }

  private static void assertOneNames(List<Throwable> failures, String... words) {
    assertThat(failures)
        .as("failures %s", failures)
        .anySatisfy(failure -> assertThat(failure).hasMessageContainingAll(words));
  }

  @ParameterizedTest
  @CsvSource({
    "EXACT, 1, IBV_WC_LOC_LEN_ERR (1), 1",
    "MLX, 1, IBV_WC_LOC_LEN_ERR (1), 3",
    "EXACT, 4, IBV_WC_LOC_PROT_ERR (4), 3",
    "MLX, 12, IBV_WC_RETRY_EXC_ERR (12), 1",
    "EXACT, 21, IBV_WC_GENERAL_ERR (21), 5"
  })
  void shouldNameTheStatusAndKeepItAsTheCause(WireMode wire, int status, String name, int at) {
    emulated.set("fail_work_status", status);
    try (LocalRanks ranks = VerbsGroupTest.form(settings().withWire(wire))) {
      emulated.set("fail_work_at", at);
      assertOneNames(failures(ranks), name, "wire 0 to rank", "emu0", "vendor error");
      long live = emulated.get("live");
      // A failed group stays failed: nothing is connected anew, and the cause does not change.
      assertOneNames(failures(ranks), name);
      assertThat(emulated.get("live")).isLessThanOrEqualTo(live);
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldNameTheStatusAndCountWhatIsFlushed(WireMode wire) {
    emulated.set("fail_work_status", LOC_LEN);
    try (LocalRanks ranks = VerbsGroupTest.form(settings().withWire(wire))) {
      emulated.set("fail_work_at", 3);
      assertOneNames(
          failures(ranks),
          "IBV_WC_LOC_LEN_ERR (1)",
          "further work requests flushed",
          "wire 0 to rank",
          "emu0");
    }
  }

  /** The provider writes into every receive that is still posted when its queue pair goes. */
  @ParameterizedTest
  @EnumSource
  void shouldKeepMemoryUntilNoDeviceCanWriteToItAnyMore(WireMode wire) {
    LocalRanks ranks = VerbsGroupTest.form(settings().withWire(wire));
    MemorySegment given = ranks.group(0).allocate(4096);
    CompletableFuture<?> never = ranks.group(0).recvAsync(given, 1).toCompletableFuture();
    Awaitility.await().until(() -> emulated.get("receives_posted") > 0);
    ranks.close();
    assertThat(catchThrowable(() -> LocalRanks.get(never)))
        .isInstanceOf(JacclException.class)
        .hasMessageContaining("closed");
    assertThat(given.scope().isAlive()).isFalse();
    assertThat(emulated.get("late_writes")).isPositive();
  }

  @Test
  void shouldEndAnOperationWhoseMemoryIsReleasedUnderIt() {
    try (LocalRanks ranks = VerbsGroupTest.form(settings());
        Arena arena = Arena.ofShared()) {
      CompletableFuture<?> receive;
      try (Arena gone = Arena.ofShared()) {
        receive = ranks.group(0).recvAsync(gone.allocate(4096), 1).toCompletableFuture();
      }
      ranks.group(1).sendAsync(arena.allocate(4096), 0);
      assertThat(catchThrowable(() -> LocalRanks.get(receive)))
          .isInstanceOf(JacclException.class)
          // Before the operation begins, or when its message comes.
          .hasMessageMatching("recv.*(its arena was closed|broke off with .*Already closed).*");
    }
  }

  @Test
  void shouldNameAStatusOfTheSender() {
    emulated.set("fail_work_status", GENERAL);
    try (LocalRanks ranks = VerbsGroupTest.form(settings())) {
      emulated.set("fail_work_at", 1);
      assertOneNames(failures(ranks), "IBV_WC_GENERAL_ERR (21)");
    }
  }

  @ParameterizedTest
  @CsvSource({"ibv_post_send", "ibv_post_recv"})
  void shouldNameAPostThatIsRefused(String call) {
    try (LocalRanks ranks = VerbsGroupTest.form(settings())) {
      emulated.fail(call, 2, ENOMEM);
      assertOneNames(failures(ranks), call, "errno 12 (ENOMEM)", "wire 0 to rank");
    }
  }

  @Test
  void shouldRefuseACompletionThatIsReportedTwice() {
    try (LocalRanks ranks = VerbsGroupTest.form(settings())) {
      emulated.set("duplicate_at", 2);
      assertOneNames(failures(ranks), "unexpected completion of");
    }
  }

  @Test
  void shouldRefuseACompletionThatNobodyPosted() {
    try (LocalRanks ranks = VerbsGroupTest.form(settings())) {
      emulated.set("wrong_id_at", 2);
      assertOneNames(failures(ranks), "unexpected completion of", "invented or misdirected");
    }
  }

  @Test
  void shouldNameTheDeviceThatIsUnplugged() {
    try (LocalRanks ranks = VerbsGroupTest.form(settings())) {
      emulated.setDevice(0, "unplugged", 1);
      List<Throwable> failures = failures(ranks);
      assertThat(failures)
          .allSatisfy(
              failure ->
                  assertThat(failure)
                      .hasMessageContainingAll("emu0", "errno 19 (ENODEV)", "the device has gone"));
    }
  }

  @Test
  void shouldNameThePortThatGoesDown() {
    try (LocalRanks ranks = VerbsGroupTest.form(settings())) {
      emulated.set("delay_micros", 10_000_000);
      emulated.event(0, 10);
      assertThat(failures(ranks))
          .allSatisfy(
              failure ->
                  assertThat(failure)
                      .hasMessageContainingAll(
                          "emu0", "IBV_EVENT_PORT_ERR (10)", "has gone down", "cable"));
    }
  }

  @Test
  void shouldCarryOnAfterAnEventThatEndsNothing() {
    try (LocalRanks ranks = VerbsGroupTest.form(settings())) {
      emulated.event(0, 18);
      assertThat(failures(ranks)).containsOnlyNulls();
    }
  }

  @Test
  void shouldReportAPeerThatHasGoneByTheStatusOfItsConnection() {
    try (LocalRanks ranks = VerbsGroupTest.form(settings())) {
      ranks.rank(1).engine().close();
      ranks.group(1).close();
      Throwable failure =
          catchThrowable(
              () ->
                  LocalRanks.get(
                      ranks
                          .group(0)
                          .run(
                              session -> {
                                sum(session);
                                return 0;
                              })
                          .toCompletableFuture()));
      assertThat(failure)
          .hasMessageContainingAll("IBV_WC_RETRY_EXC_ERR (12)", "does not answer", "rank 1");
    }
  }

  @Test
  void shouldTellOfLossesOnUnreliableConnections() {
    GroupSettings settings = settings().withVerbs(emulated.verbs(QueuePairType.UC));
    try (LocalRanks ranks = VerbsGroupTest.form(settings)) {
      emulated.set("drop_every", 5);
      // A rank whose own messages all arrived has a right sum, which sum() checks.
      assertThat(failures(ranks))
          .filteredOn(failure -> failure != null)
          .isNotEmpty()
          .allSatisfy(failure -> assertThat(failure).isInstanceOf(JacclException.class));
    }
  }

  @Test
  void shouldFailAtTheDeadlineWhereAProviderDropsWhatNobodyAwaits() {
    GroupSettings settings =
        settings().withWire(WireMode.MLX).withVerbs(emulated.verbs(QueuePairType.UC));
    try (LocalRanks ranks = VerbsGroupTest.form(settings)) {
      // Rank 1 has no receive posted when rank 0 sends.
      CompletableFuture<Integer> early =
          ranks.group(0).run(session -> send(session)).toCompletableFuture();
      assertThat(LocalRanks.get(early)).isZero();
      Throwable failure =
          catchThrowable(
              () ->
                  LocalRanks.get(
                      ranks.group(1).run(session -> receive(session)).toCompletableFuture()));
      assertThat(failure).hasMessageContainingAll("recv", "rank 0");
      assertThat(ranks.rank(1).terminated())
          .hasValueSatisfying(
              ended -> assertThat(ended.kind()).isEqualTo(GroupFailure.Kind.OPERATION_TIMEOUT));
    }
  }

  private static int send(Session session) {
    try (Arena arena = Arena.ofConfined()) {
      session.send(arena.allocate(4096), 1);
      return 0;
    }
  }

  private static int receive(Session session) {
    try (Arena arena = Arena.ofConfined()) {
      session.recv(arena.allocate(4096), 0);
      return 0;
    }
  }
}
