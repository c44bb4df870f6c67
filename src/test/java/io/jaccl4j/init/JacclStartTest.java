package io.jaccl4j.init;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.jaccl4j.Dtype;
import io.jaccl4j.FormationException;
import io.jaccl4j.Group;
import io.jaccl4j.GroupSettings;
import io.jaccl4j.PeerLostException;
import io.jaccl4j.config.mlx.HostPort;
import io.jaccl4j.config.mlx.JacclConfiguration;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Groups of our own ranks as JACCL's ranks form them, over its TCP coordinator. */
@Timeout(60)
class JacclStartTest {
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
    GroupSettings settings =
        emulated
            .settings(devices.size())
            .withFormationTimeout(Duration.ofSeconds(5))
            .withOperationTimeout(Duration.ofSeconds(10));
    JacclStart start =
        new JacclStart(
            new JacclConfiguration(rank, devices, Optional.of(coordinator), ring),
            settings,
            key,
            new VerbsFabricProvider(System::nanoTime));
    return CompletableFuture.supplyAsync(() -> start.form(Optional.empty()), callers);
  }

  private List<Group> form(DeviceMatrix devices, boolean ring) {
    List<CompletableFuture<Group>> starting = new ArrayList<>();
    for (int rank = devices.size() - 1; rank >= 0; rank--) {
      starting.addFirst(start(rank, devices, ring, Optional.empty()));
    }
    return starting.stream().map(CompletableFuture::join).toList();
  }

  @ParameterizedTest
  @CsvSource({"2, false, 1", "3, false, 1", "3, true, 2", "4, true, 1"})
  void shouldSumAmongAllRanks(int size, boolean ring, int wires) {
    List<Group> groups = form(matrix(size, List.of("emu0", "emu1").subList(0, wires)), ring);
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

  @Test
  void shouldNoticeARankThatGoesByItsSideChannel() {
    List<Group> groups = form(matrix(2, List.of("emu0")), false);
    CompletableFuture<Void> waiting = groups.getFirst().barrierAsync().toCompletableFuture();
    groups.getLast().close();
    assertThat(catchThrowable(waiting::join))
        .cause()
        .isInstanceOf(PeerLostException.class)
        .hasMessageContaining("rank 1");
    groups.getFirst().close();
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
