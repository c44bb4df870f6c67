package io.jaccl4j.init;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.jaccl4j.ConfigurationException;
import io.jaccl4j.Dtype;
import io.jaccl4j.FormationException;
import io.jaccl4j.Group;
import io.jaccl4j.GroupSettings;
import io.jaccl4j.PeerLostException;
import io.jaccl4j.config.mlx.HostPort;
import io.jaccl4j.config.mlx.JacclConfiguration;
import io.jaccl4j.engine.LinkExchange;
import io.jaccl4j.fabric.verbs.EmulatedVerbs;
import io.jaccl4j.fabric.verbs.VerbsFabricProvider;
import io.jaccl4j.topology.DeviceMatrix;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Groups of our own ranks as JACCL's ranks form them, over its TCP coordinator. */
@Timeout(60)
class JacclStartTest {
  private static final Duration DEADLINE = Duration.ofSeconds(5);

  private final ExecutorService callers = Executors.newCachedThreadPool();
  private EmulatedVerbs emulated;
  private HostPort coordinator;

  @BeforeEach
  void open() throws IOException {
    emulated = EmulatedVerbs.fresh().set("hold_unreliable", 1).set("count_frames", 1);
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      coordinator = new HostPort("127.0.0.1", socket.getLocalPort());
    }
  }

  @AfterEach
  void close() {
    callers.shutdownNow();
  }

  private static DeviceMatrix matrix(int size, List<String> devices) {
    List<List<List<String>>> rows = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      List<List<String>> row = new ArrayList<>(Collections.nCopies(size, devices));
      row.set(rank, List.of());
      rows.add(row);
    }
    return DeviceMatrix.of(rows);
  }

  private CompletableFuture<Group> start(
      int rank, DeviceMatrix devices, boolean ring, Optional<byte[]> key) {
    return start(rank, devices, ring, key, LinkExchange.JACCL);
  }

  private CompletableFuture<Group> start(
      int rank, DeviceMatrix devices, boolean ring, Optional<byte[]> key, LinkExchange exchange) {
    return start(
        new JacclConfiguration(rank, devices, Optional.of(coordinator), ring),
        settings(devices.size()),
        key,
        exchange);
  }

  private GroupSettings settings(int size) {
    return emulated
        .settings(size)
        .withFormationTimeout(DEADLINE)
        .withOperationTimeout(Duration.ofSeconds(10));
  }

  private CompletableFuture<Group> start(
      JacclConfiguration configuration,
      GroupSettings settings,
      Optional<byte[]> key,
      LinkExchange exchange) {
    JacclStart start =
        new JacclStart(
            configuration, settings, key, new VerbsFabricProvider(System::nanoTime), exchange);
    return CompletableFuture.supplyAsync(() -> start.form(Optional.empty()), callers);
  }

  private List<Group> form(DeviceMatrix devices, boolean ring, LinkExchange exchange) {
    List<CompletableFuture<Group>> starting = new ArrayList<>();
    for (int rank = devices.size() - 1; rank >= 0; rank--) {
      starting.addFirst(start(rank, devices, ring, Optional.empty(), exchange));
    }
    return starting.stream().map(CompletableFuture::join).toList();
  }

  @ParameterizedTest
  @CsvSource({
    "2, false, 1, JACCL",
    "3, false, 1, JACCL",
    "3, true, 2, JACCL",
    "4, true, 1, JACCL",
    "3, false, 1, OWN_WATCHED",
    "3, true, 2, OWN_WATCHED"
  })
  void shouldSumAmongAllRanks(int size, boolean ring, int wires, LinkExchange exchange) {
    List<Group> groups =
        form(matrix(size, List.of("emu0", "emu1").subList(0, wires)), ring, exchange);
    try (Arena arena = Arena.ofShared()) {
      MemorySegment[] data = new MemorySegment[size];
      List<CompletableFuture<Void>> sums = new ArrayList<>();
      for (Group group : groups) {
        MemorySegment own = arena.allocate(ValueLayout.JAVA_INT, 1000);
        own.setAtIndex(ValueLayout.JAVA_INT, 999, group.rank() + 1);
        data[group.rank()] = own;
        sums.add(group.allSumAsync(own, own, Dtype.INT32).toCompletableFuture());
      }
      sums.forEach(CompletableFuture::join);
      assertThat(data)
          .extracting(each -> each.getAtIndex(ValueLayout.JAVA_INT, 999))
          .containsOnly(size * (size + 1) / 2);
    }
    groups.forEach(Group::close);
    emulated.checkQuiet();
  }

  @ParameterizedTest
  @EnumSource(names = {"JACCL", "OWN_WATCHED"})
  void shouldNoticeARankThatGoesByItsSideChannel(LinkExchange exchange) {
    List<Group> groups = form(matrix(2, List.of("emu0")), false, exchange);
    CompletableFuture<Void> waiting = groups.getFirst().barrierAsync().toCompletableFuture();
    groups.getLast().close();
    assertThat(catchThrowable(waiting::join))
        .cause()
        .isInstanceOf(PeerLostException.class)
        .hasMessageContaining("rank 1");
    groups.getFirst().close();
    emulated.checkQuiet();
  }

  /**
   * Ranks of JACCL have no way to say it: the others learn who has gone, and not why; at the
   * deadline if it went before all were there, since it might have come again.
   */
  @ParameterizedTest
  @CsvSource({
    "OWN_WATCHED, 'rank 1 (', 'there is no device rdma_en99', 0",
    "JACCL, 'rank 1 ', 'closed the connection', 2"
  })
  void shouldTellTheOthersOfARankThatCannotOpenItsDevice(
      LinkExchange exchange, String who, String why, int secondsAfterDeadline) {
    List<List<List<String>>> rows = new ArrayList<>();
    for (int rank = 0; rank < 3; rank++) {
      List<List<String>> row = new ArrayList<>(Collections.nCopies(3, List.of("emu0")));
      row.set(rank, List.of());
      rows.add(row);
    }
    rows.set(1, List.of(List.of("rdma_en99"), List.of(), List.of("emu0")));
    DeviceMatrix devices = DeviceMatrix.of(rows);
    long startNanos = System.nanoTime();
    List<CompletableFuture<Group>> starting = new ArrayList<>();
    for (int rank = 0; rank < 3; rank++) {
      starting.add(start(rank, devices, false, Optional.empty(), exchange));
    }
    assertThat(catchThrowable(starting.get(1)::join))
        .cause()
        .isInstanceOf(FormationException.class)
        .hasMessageContainingAll("rdma_en99", "[emu0, emu1]");
    assertThat(catchThrowable(starting.get(0)::join))
        .cause()
        .isInstanceOf(FormationException.class)
        .hasMessageContainingAll(who, why);
    assertThat(catchThrowable(starting.get(2)::join))
        .cause()
        .isInstanceOf(FormationException.class);
    assertThat(Duration.ofNanos(System.nanoTime() - startNanos))
        .as("not long after the deadline")
        .isLessThan(DEADLINE.plusSeconds(secondsAfterDeadline));
    emulated.checkQuiet();
  }

  @Test
  void shouldNameTheRankThatNeverComes() {
    Throwable failure =
        catchThrowable(() -> start(0, matrix(3, List.of("emu0")), false, Optional.empty()).join());
    assertThat(failure)
        .cause()
        .isInstanceOf(FormationException.class)
        .hasMessageContainingAll("ranks 1, 2 did not connect", coordinator.toString());
    emulated.checkQuiet();
  }

  @Test
  void shouldEndAtTheDeadlineThatIsSet() {
    Duration deadline = Duration.ofMillis(700);
    DeviceMatrix devices = matrix(2, List.of("emu0"));
    for (int rank = 0; rank < 2; rank++) {
      long startNanos = System.nanoTime();
      CompletableFuture<Group> alone =
          start(
              new JacclConfiguration(rank, devices, Optional.of(coordinator), false),
              settings(2).withFormationTimeout(deadline),
              Optional.empty(),
              LinkExchange.JACCL);
      assertThat(catchThrowable(alone::join))
          .cause()
          .isInstanceOfSatisfying(
              FormationException.class,
              e -> assertThat(e.reason()).isEqualTo(FormationException.Reason.TIMEOUT))
          .hasMessageContainingAll("rank " + (1 - rank), coordinator.toString());
      assertThat(Duration.ofNanos(System.nanoTime() - startNanos))
          .isBetween(deadline, deadline.plusSeconds(2));
    }
    emulated.checkQuiet();
  }

  @Test
  void shouldNameTheSettingThatDiffersOnEveryRank() {
    DeviceMatrix devices = matrix(3, List.of("emu0"));
    List<CompletableFuture<Group>> starting = new ArrayList<>();
    for (int rank = 0; rank < 3; rank++) {
      GroupSettings settings = settings(3);
      GroupSettings.Memory memory = settings.memory();
      starting.add(
          start(
              new JacclConfiguration(rank, devices, Optional.of(coordinator), false),
              settings.withMemory(
                  new GroupSettings.Memory(
                      rank == 1 ? 4096 : memory.slotBytes(),
                      memory.registeredBytes(),
                      memory.shmDirectory())),
              Optional.empty(),
              LinkExchange.OWN_WATCHED));
    }
    for (CompletableFuture<Group> start : starting) {
      assertThat(catchThrowable(start::join))
          .cause()
          .isInstanceOfSatisfying(
              FormationException.class,
              e -> assertThat(e.reason()).isEqualTo(FormationException.Reason.SETTINGS_DIFFER))
          .hasMessageContaining(
              "jaccl4j.memory.slot-bytes is [65536] on rank 0 and [4096] on rank 1; make it equal");
    }
    emulated.checkQuiet();
  }

  /** Four ranks in a ring whose last edge has one cable, and the others two. */
  private static DeviceMatrix unequalRing() {
    List<String> none = List.of();
    List<String> one = List.of("emu0");
    List<String> two = List.of("emu0", "emu1");
    return DeviceMatrix.of(
        List.of(
            List.of(none, two, none, one),
            List.of(two, none, two, none),
            List.of(none, two, none, two),
            List.of(one, none, two, none)));
  }

  @Test
  void shouldNameTheEdgeOfARingThatHasFewerWires() {
    CompletableFuture<Group> start =
        start(0, unequalRing(), true, Optional.empty(), LinkExchange.JACCL);
    assertThat(catchThrowable(start::join))
        .cause()
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("edge 3-0 has 1 wire, edge 0-1 has 2, want equally many");
  }

  @Test
  void shouldLeaveSurplusWiresOutAmongRanksOfItsOwn() {
    List<Group> groups = form(unequalRing(), true, LinkExchange.OWN_WATCHED);
    List<CompletableFuture<Void>> barriers =
        groups.stream().map(group -> group.barrierAsync().toCompletableFuture()).toList();
    barriers.forEach(CompletableFuture::join);
    groups.forEach(Group::close);
    emulated.checkQuiet();
  }

  /** A send may come before its receive is posted: the provider holds the sender. */
  @Test
  void shouldReceiveWhatWasSentBeforeAnyoneAskedForIt() {
    List<Group> groups = form(matrix(2, List.of("emu0")), false, LinkExchange.JACCL);
    try (Arena arena = Arena.ofShared()) {
      MemorySegment sent = arena.allocate(100_000);
      for (int i = 0; i < sent.byteSize(); i++) {
        sent.set(ValueLayout.JAVA_BYTE, i, (byte) (i * 31));
      }
      CompletableFuture<Void> sending = groups.getFirst().sendAsync(sent, 1).toCompletableFuture();
      await().until(() -> emulated.get("messages") > 0);
      MemorySegment got = arena.allocate(sent.byteSize());
      groups.getLast().recv(got, 0);
      sending.join();
      assertThat(got.mismatch(sent)).isEqualTo(-1);
    }
    groups.forEach(Group::close);
    emulated.checkQuiet();
  }

  @Test
  void shouldLetNobodyThroughABarrierBeforeTheLastOneComes() {
    List<Group> groups = form(matrix(3, List.of("emu0")), false, LinkExchange.JACCL);
    for (int late = 0; late < 3; late++) {
      List<CompletableFuture<Void>> early = new ArrayList<>();
      for (Group group : groups) {
        if (group.rank() != late) {
          early.add(group.barrierAsync().toCompletableFuture());
        }
      }
      assertThat(
              CompletableFuture.anyOf(early.toArray(CompletableFuture[]::new))
                  .thenApply(_ -> "left early")
                  .completeOnTimeout("waits", 200, TimeUnit.MILLISECONDS)
                  .join())
          .as("without rank %d", late)
          .isEqualTo("waits");
      groups.get(late).barrier();
      early.forEach(CompletableFuture::join);
    }
    groups.forEach(Group::close);
    emulated.checkQuiet();
  }

  @Test
  void shouldGiveTheOthersTheReasonOfARankThatCannotGoOn() {
    List<Group> groups = form(matrix(2, List.of("emu0")), false, LinkExchange.JACCL);
    CompletableFuture<Void> waiting = groups.getFirst().barrierAsync().toCompletableFuture();
    groups.getLast().abort(new IllegalArgumentException("no TP"));
    assertThat(groups.getLast().failure())
        .hasValueSatisfying(
            failure ->
                assertThat(failure.detail())
                    .contains("rank 1", "left the group", "IllegalArgumentException: no TP"));
    assertThat(catchThrowable(waiting::join))
        .as("JACCL's side channel tells no reasons")
        .cause()
        .isInstanceOf(PeerLostException.class)
        .hasMessageContaining("rank 1");
    groups.getFirst().close();
    emulated.checkQuiet();
  }

  @Test
  void shouldFormNoGroupWithARankOfAnotherKey() {
    DeviceMatrix devices = matrix(2, List.of("emu0"));
    CompletableFuture<Group> first =
        start(0, devices, false, Optional.of("the right secret".getBytes()));
    CompletableFuture<Group> second =
        start(1, devices, false, Optional.of("the wrong secret".getBytes()));
    assertThat(catchThrowable(first::join)).cause().isInstanceOf(FormationException.class);
    assertThat(catchThrowable(second::join)).cause().isInstanceOf(FormationException.class);
    emulated.checkQuiet();
  }
}
