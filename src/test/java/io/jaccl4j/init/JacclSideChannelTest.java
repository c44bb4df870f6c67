package io.jaccl4j.init;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.jaccl4j.AllGather;
import io.jaccl4j.Dtype;
import io.jaccl4j.FormationException;
import io.jaccl4j.Group;
import io.jaccl4j.GroupSettings;
import io.jaccl4j.config.mlx.JacclConfiguration;
import io.jaccl4j.engine.LinkExchange;
import io.jaccl4j.fabric.verbs.EmulatedVerbs;
import io.jaccl4j.fabric.verbs.VerbsFabricProvider;
import io.jaccl4j.sidechannel.DirectoryAllGather;
import io.jaccl4j.sidechannel.EqualAllGather;
import io.jaccl4j.sidechannel.FunctionAllGather;
import io.jaccl4j.sidechannel.GatherFunction;
import io.jaccl4j.sidechannel.MemoryAllGather;
import io.jaccl4j.sidechannel.ZeroMqSideChannel;
import io.jaccl4j.topology.DeviceMatrix;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** JACCL's start with the metadata over something else than its TCP coordinator. */
@Timeout(60)
class JacclSideChannelTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final int SIZE = 3;

  private enum Kind {
    FUNCTION,
    DIRECTORY,
    ZERO_MQ
  }

  private final ExecutorService callers = Executors.newCachedThreadPool();
  private EmulatedVerbs emulated;

  @TempDir Path directory;

  @BeforeEach
  void load() {
    emulated = EmulatedVerbs.fresh().set("hold_unreliable", 1).set("count_frames", 1);
  }

  @AfterEach
  void end() {
    callers.shutdownNow();
  }

  @ParameterizedTest
  @EnumSource
  void shouldFormWithoutACoordinator(Kind kind) throws IOException {
    AllGather.Factory sideChannel = sideChannel(kind);
    List<CompletableFuture<Group>> starting = new ArrayList<>();
    for (int rank = 0; rank < SIZE; rank++) {
      starting.add(start(rank, PATIENCE, sideChannel));
    }
    List<Group> groups = starting.stream().map(CompletableFuture::join).toList();
    try (Arena arena = Arena.ofShared()) {
      List<MemorySegment> cells = new ArrayList<>();
      List<CompletableFuture<Void>> sums = new ArrayList<>();
      for (Group group : groups) {
        MemorySegment cell = arena.allocateFrom(ValueLayout.JAVA_INT, group.rank() + 1);
        cells.add(cell);
        sums.add(group.allSumAsync(cell, cell, Dtype.INT32).toCompletableFuture());
      }
      sums.forEach(CompletableFuture::join);
      assertThat(cells).extracting(cell -> cell.get(ValueLayout.JAVA_INT, 0)).containsOnly(6);
    }
    groups.forEach(Group::close);
    emulated.checkQuiet();
  }

  @Test
  void shouldFailWithTheCauseOfASideChannelThatThrows() {
    IOException cause = new IOException("no such bucket");
    CompletableFuture<Group> start =
        start(
            0,
            PATIENCE,
            EqualAllGather.factory(
                FunctionAllGather.factory(
                    (rank, size) ->
                        contribution -> {
                          throw cause;
                        })));
    assertThat(catchThrowable(start::join))
        .cause()
        .isInstanceOf(FormationException.class)
        .hasMessageContaining("the function failed: java.io.IOException: no such bucket")
        .hasRootCause(cause);
    emulated.checkQuiet();
  }

  /** Neither one that never opens nor one that never answers. */
  @Test
  void shouldEndAtTheDeadlineWhateverTheSideChannelDoes() {
    CountDownLatch never = new CountDownLatch(1);
    List<AllGather.Factory> silent =
        List.of(
            (rank, size) -> {
              await(never);
              return null;
            },
            EqualAllGather.factory(
                FunctionAllGather.factory(
                    (rank, size) ->
                        contribution -> {
                          await(never);
                          return contribution;
                        })));
    for (AllGather.Factory factory : silent) {
      Duration deadline = Duration.ofSeconds(1);
      long startNanos = System.nanoTime();
      assertThat(catchThrowable(start(0, deadline, factory)::join))
          .cause()
          .isInstanceOfSatisfying(
              FormationException.class,
              e -> assertThat(e.reason()).isEqualTo(FormationException.Reason.TIMEOUT))
          .hasMessageContaining("did not return within");
      assertThat(Duration.ofNanos(System.nanoTime() - startNanos))
          .isBetween(deadline.minusMillis(500), deadline.plusSeconds(3));
    }
    never.countDown();
    emulated.checkQuiet();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private CompletableFuture<Group> start(int rank, Duration deadline, AllGather.Factory factory) {
    List<String> none = List.of();
    List<String> device = List.of("emu0");
    DeviceMatrix devices =
        DeviceMatrix.of(
            List.of(
                List.of(none, device, device),
                List.of(device, none, device),
                List.of(device, device, none)));
    GroupSettings settings = emulated.settings(SIZE).withFormationTimeout(deadline);
    JacclStart start =
        new JacclStart(
            new JacclConfiguration(rank, devices, Optional.empty(), false),
            settings,
            Optional.empty(),
            new VerbsFabricProvider(System::nanoTime),
            LinkExchange.JACCL);
    return CompletableFuture.supplyAsync(() -> start.form(Optional.of(factory)), callers);
  }

  private AllGather.Factory sideChannel(Kind kind) throws IOException {
    return switch (kind) {
      case FUNCTION -> EqualAllGather.factory(FunctionAllGather.factory(overMemory()));
      case DIRECTORY -> DirectoryAllGather.factory(directory.resolve("group"), PATIENCE);
      case ZERO_MQ -> EqualAllGather.factory(ZeroMqSideChannel.factory(freeAddress(), PATIENCE));
    };
  }

  /** A user's own way from rank to rank, here through the memory of this JVM. */
  private static GatherFunction.Factory overMemory() {
    MemoryAllGather memory = new MemoryAllGather();
    return (rank, size) -> {
      AllGather channel = memory.open(rank, size);
      return contribution -> {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        channel.allGather(contribution, PATIENCE.toNanos()).forEach(all::writeBytes);
        return all.toByteArray();
      };
    };
  }

  private static InetSocketAddress freeAddress() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return new InetSocketAddress("127.0.0.1", socket.getLocalPort());
    }
  }
}
