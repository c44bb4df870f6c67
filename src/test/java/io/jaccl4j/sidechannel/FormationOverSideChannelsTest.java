package io.jaccl4j.sidechannel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jaccl4j.AllGather;
import io.jaccl4j.Dtype;
import io.jaccl4j.FormationException;
import io.jaccl4j.GroupSettings;
import io.jaccl4j.engine.LinkExchange;
import io.jaccl4j.engine.NanoClock;
import io.jaccl4j.fabric.shm.ShmFabricProvider;
import io.jaccl4j.testing.LocalRanks;
import io.jaccl4j.testing.TestSettings;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Groups that need no cluster, formed over each kind of side channel. */
@Timeout(60)
class FormationOverSideChannelsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final int SIZE = 3;

  private enum Kind {
    TCP,
    DIRECTORY,
    FUNCTION,
    ZERO_MQ
  }

  private final ConcurrentRanks threads = new ConcurrentRanks();

  @TempDir Path directory;

  @AfterEach
  void end() {
    threads.close();
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void shouldFormAGroupThatSums(Kind kind) throws Exception {
    try (LocalRanks ranks = form(kind)) {
      assertThat(sums(ranks)).containsOnly(6);
    }
  }

  @Test
  void shouldFormGroupsOverDifferentSideChannelsAtTheSameTime() throws Exception {
    try (LocalRanks one = form(Kind.TCP);
        LocalRanks other = form(Kind.DIRECTORY)) {
      assertThat(sums(one)).isEqualTo(sums(other));
    }
  }

  @Test
  void shouldFailWithTheCauseOfASideChannelThatThrows() {
    IOException cause = new IOException("no such bucket");
    UniformAllGather.Factory failing =
        FunctionAllGather.factory(
            (_, _) ->
                _ -> {
                  throw cause;
                });
    try (LocalRanks ranks = start("failing", (rank, size) -> sized(failing.open(rank, size)))) {
      for (LocalRanks.Rank rank : ranks.all()) {
        assertThatThrownBy(() -> LocalRanks.get(rank.formed()))
            .isInstanceOf(FormationException.class)
            .hasMessageContaining("the function failed: java.io.IOException: no such bucket")
            .hasRootCause(cause);
      }
    }
  }

  private LocalRanks form(Kind kind) throws Exception {
    InetSocketAddress address = RawSocket.freeAddress();
    MemoryAllGather memory = new MemoryAllGather();
    AllGather.Factory factory =
        switch (kind) {
          case TCP -> {
            UniformAllGather.Factory tcp =
                TcpCoordinator.factory(new TcpCoordinatorSettings(address, PATIENCE));
            yield (rank, size) -> sized(tcp.open(rank, size));
          }
          case ZERO_MQ -> {
            UniformAllGather.Factory zeroMq = ZeroMqSideChannel.factory(address, PATIENCE);
            yield (rank, size) -> sized(zeroMq.open(rank, size));
          }
          case DIRECTORY -> DirectoryAllGather.factory(directory.resolve("group"), PATIENCE);
          case FUNCTION -> {
            UniformAllGather.Factory function =
                FunctionAllGather.factory(
                    (rank, size) -> overMemory(memory.open(rank, size), size));
            yield (rank, size) -> sized(function.open(rank, size));
          }
        };
    // Opening waits for the other ranks, so each has a thread of its own.
    List<AllGather> opened = threads.all(SIZE, rank -> factory.open(rank, SIZE));
    LocalRanks ranks = start("over-" + kind, (rank, _) -> opened.get(rank));
    for (LocalRanks.Rank rank : ranks.all()) {
      LocalRanks.get(rank.formed());
    }
    return ranks;
  }

  private static GatherFunction overMemory(AllGather memory, int size) {
    return contribution -> {
      byte[] all = new byte[size * contribution.length];
      int place = 0;
      for (byte[] part : memory.allGather(contribution, PATIENCE.toNanos())) {
        System.arraycopy(part, 0, all, place, part.length);
        place += part.length;
      }
      return all;
    };
  }

  private static AllGather sized(UniformAllGather channel) {
    return new SizedAllGather(channel, System::nanoTime);
  }

  private static LocalRanks start(String name, AllGather.Factory factory) {
    GroupSettings settings = TestSettings.of(name, SIZE);
    return LocalRanks.start(
        settings, new ShmFabricProvider(), NanoClock.SYSTEM, factory, LinkExchange.OWN);
  }

  private static List<Integer> sums(LocalRanks ranks) {
    List<CompletableFuture<Integer>> results =
        ranks.all().stream()
            .map(
                rank ->
                    LocalRanks.get(rank.formed())
                        .run(
                            session -> {
                              try (Arena arena = Arena.ofConfined()) {
                                MemorySegment cell = arena.allocate(ValueLayout.JAVA_INT);
                                cell.set(ValueLayout.JAVA_INT, 0, session.rank() + 1);
                                session.allSum(cell, cell, Dtype.INT32);
                                return cell.get(ValueLayout.JAVA_INT, 0);
                              }
                            })
                        .toCompletableFuture())
            .toList();
    return results.stream().map(LocalRanks::get).toList();
  }
}
