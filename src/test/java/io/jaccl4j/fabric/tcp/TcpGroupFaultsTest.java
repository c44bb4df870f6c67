package io.jaccl4j.fabric.tcp;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.jaccl4j.Dtype;
import io.jaccl4j.FormationException;
import io.jaccl4j.Group;
import io.jaccl4j.GroupFailedException;
import io.jaccl4j.GroupFailure;
import io.jaccl4j.GroupSettings;
import io.jaccl4j.OperationMismatchException;
import io.jaccl4j.OperationTimeoutException;
import io.jaccl4j.PeerLostException;
import io.jaccl4j.Topology;
import io.jaccl4j.engine.NanoClock;
import io.jaccl4j.fabric.Fabric;
import io.jaccl4j.fabric.FabricProvider;
import io.jaccl4j.fabric.FabricRequest;
import io.jaccl4j.testing.ForwardingProvider;
import io.jaccl4j.testing.LocalRanks;
import io.jaccl4j.testing.TestSettings;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Ranks whose connections end, that leave, that stall; and what the others see of it. */
@Timeout(120)
class TcpGroupFaultsTest {

  /** The fabrics of all ranks, for a test to break. */
  private static final class OpenFabrics {
    private final TcpFabricProvider tcp = new TcpFabricProvider(System::nanoTime);
    private final Map<Integer, TcpFabric> ofRank = new ConcurrentHashMap<>();

    FabricProvider provider() {
      return new ForwardingProvider(tcp, this::open);
    }

    TcpFabric open(FabricRequest request) {
      TcpFabric fabric = (TcpFabric) tcp.open(request);
      ofRank.put(request.rank(), fabric);
      return fabric;
    }

    SocketChannel channel(int rank, int wire) {
      return ((TcpLink) ofRank.get(rank).link(wire)).connection(0).channel();
    }
  }

  /** How a connection ends. */
  enum End {
    CLOSE {
      @Override
      void bring(SocketChannel channel, Group owner) throws IOException {
        channel.close();
      }
    },
    RESET {
      @Override
      void bring(SocketChannel channel, Group owner) throws IOException {
        channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        channel.close();
        // The system closes it when the owner's selector lets go of it, at the owner's end.
        assertThatThrownBy(owner::barrier).isInstanceOf(GroupFailedException.class);
        owner.close();
      }
    },
    HALF_CLOSE {
      @Override
      void bring(SocketChannel channel, Group owner) throws IOException {
        channel.shutdownOutput();
      }
    };

    /** At the end of a connection, by force, while the owner's engine does not look. */
    abstract void bring(SocketChannel channel, Group owner) throws IOException;
  }

  private TcpLink link(int rank, int wire) {
    return (TcpLink) fabrics.ofRank.get(rank).link(wire);
  }

  private final OpenFabrics fabrics = new OpenFabrics();

  private static GroupSettings settings(int size) {
    return TestSettings.of("tcp-faults", size).withFabric("tcp").withTopology(Topology.MESH);
  }

  private LocalRanks form(GroupSettings settings) {
    return LocalRanks.form(settings, fabrics.provider(), NanoClock.SYSTEM);
  }

  private static CompletableFuture<Void> allSum(Group group, long bytes) {
    MemorySegment data = group.allocate(bytes);
    return group.allSumAsync(data, data, Dtype.FLOAT32).toCompletableFuture();
  }

  private static void assertNames(Throwable failure, int rank) {
    assertThat(failure).isInstanceOf(GroupFailedException.class);
    GroupFailure cause = ((GroupFailedException) failure).failure();
    assertThat(cause.kind()).isEqualTo(GroupFailure.Kind.FABRIC);
    assertThat(cause.rank()).isEqualTo(rank);
    assertThat(cause.address()).isEqualTo("test://host:" + (9000 + rank));
    assertThat(cause.detail()).contains("rank " + rank + " (test://host:" + (9000 + rank) + ")");
  }

  @ParameterizedTest
  @EnumSource
  void shouldNameThePeerWhoseConnectionEndsWhileItIsAwaited(End end) throws IOException {
    try (LocalRanks ranks = form(settings(2))) {
      CompletableFuture<Void> waiting = allSum(ranks.group(0), 1 << 20);
      await().until(() -> !waiting.isDone() && ranks.group(0).failure().isEmpty());
      end.bring(fabrics.channel(1, 0), ranks.group(1));
      assertNames(catchThrowable(() -> LocalRanks.get(waiting)), 1);
      assertThatThrownBy(() -> ranks.group(0).barrier())
          .as("all later ones")
          .isInstanceOf(GroupFailedException.class)
          .hasMessageContaining("rank 1 (test://host:9001)");
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldFailTheNextOperationWhenAConnectionHasEndedBetweenTwo(End end) throws IOException {
    try (LocalRanks ranks = form(settings(2))) {
      ranks.runOnAll(session -> session.barrier());
      end.bring(fabrics.channel(1, 0), ranks.group(1));
      assertNames(catchThrowable(() -> ranks.group(0).barrier()), 1);
    }
  }

  @Test
  void shouldNameThePeerThatIsKilledInMidMessage() throws IOException {
    GroupSettings small =
        settings(2).withTcp(new GroupSettings.Tcp("127.0.0.1", List.of(), 0, 1, 4096, 4096));
    try (LocalRanks ranks = form(small)) {
      // The kernel takes a small part of the message; the rest never comes.
      MemorySegment data = ranks.group(1).allocate(512 << 10);
      ranks.group(1).sendAsync(data, 0);
      await().until(() -> link(1, 0).bytesMoved() > 0);
      fabrics.channel(1, 0).close();
      Throwable failure =
          catchThrowable(() -> ranks.group(0).recv(ranks.group(0).allocate(512 << 10), 1));
      assertNames(failure, 1);
      assertThat(failure).hasMessageContaining("in the middle of message 0");
    }
  }

  @Test
  void shouldFailTheNeighboursOfARankThatIsGoneFromARing() throws IOException {
    GroupSettings ring = settings(3).withTopology(Topology.RING);
    try (LocalRanks ranks = form(ring)) {
      List<CompletableFuture<Void>> sums =
          List.of(allSum(ranks.group(0), 1 << 20), allSum(ranks.group(2), 1 << 20));
      // Wires of a ring: 0 to 1, 1 to 2, 2 to 0.
      fabrics.channel(1, 0).close();
      fabrics.channel(1, 1).close();
      for (CompletableFuture<Void> sum : sums) {
        assertNames(catchThrowable(() -> LocalRanks.get(sum)), 1);
      }
    }
  }

  @Test
  void shouldLetOthersFinishWithoutARankThatHasDoneItsPartAndGone() {
    try (LocalRanks ranks = form(settings(3))) {
      CompletableFuture<Void> late = ranks.group(1).barrierAsync().toCompletableFuture();
      CompletableFuture<Void> first = ranks.group(0).barrierAsync().toCompletableFuture();
      ranks.group(2).barrier();
      LocalRanks.get(first);
      LocalRanks.get(late);
      // Rank 0 leaves while the others go on between themselves.
      ranks.group(0).close();
      CompletableFuture<Void> sent =
          ranks.group(1).sendAsync(ranks.group(1).allocate(1 << 20), 2).toCompletableFuture();
      ranks.group(2).recv(ranks.group(2).allocate(1 << 20), 1);
      LocalRanks.get(sent);
    }
  }

  @Test
  void shouldReceiveWhatADepartedPeerHadSentAndLeaveTheRestToTheCluster() {
    try (LocalRanks ranks = form(settings(2))) {
      MemorySegment gift = ranks.group(0).allocate(300_000);
      gift.set(JAVA_INT, 299_996, 99);
      ranks.group(0).send(gift, 1);
      ranks.group(0).close();
      ranks.rank(1).engine().peerLeft(0, 0);
      MemorySegment got = ranks.group(1).allocate(300_000);
      ranks.group(1).recv(got, 0);
      assertThat(got.get(JAVA_INT, 299_996)).isEqualTo(99);
      assertThatThrownBy(() -> ranks.group(1).recv(got, 0)).isInstanceOf(PeerLostException.class);
    }
  }

  @Test
  void shouldNameADepartedPeerEvenIfTheClusterDoesNotTell() {
    try (LocalRanks ranks = form(settings(2))) {
      ranks.group(0).close();
      Throwable failure = catchThrowable(() -> ranks.group(1).barrier());
      assertNames(failure, 0);
      assertThat(failure).hasMessageContaining("in good order").hasMessageContaining("join again");
    }
  }

  @Test
  void shouldMoveASendOnThatOutlivesItsOperation() {
    GroupSettings small =
        settings(2).withTcp(new GroupSettings.Tcp("127.0.0.1", List.of(), 0, 1, 4096, 4096));
    try (LocalRanks ranks = form(small);
        Arena arena = Arena.ofShared()) {
      // Two staged messages, of which the kernel takes a small part; nothing follows on this rank.
      MemorySegment data = arena.allocate(1 << 20, 64).fill((byte) 7);
      ranks.group(0).send(data, 1);
      MemorySegment got = arena.allocate(1 << 20, 64);
      ranks.group(1).recv(got, 0);
      assertThat(got.mismatch(data)).isEqualTo(-1);
    }
  }

  @Test
  void shouldNotSpinWhileItWaitsForAPeer() {
    try (LocalRanks ranks = form(settings(2))) {
      long threadId =
          LocalRanks.get(
              ranks
                  .group(0)
                  .run(session -> Thread.currentThread().threadId())
                  .toCompletableFuture());
      CompletableFuture<Void> waiting = ranks.group(0).barrierAsync().toCompletableFuture();
      var threads = ManagementFactory.getThreadMXBean();
      await()
          .pollDelay(Duration.ofMillis(500))
          .untilAsserted(() -> assertThat(waiting).isNotDone());
      long cpuNanos = threads.getThreadCpuTime(threadId);
      long wallNanos = System.nanoTime();
      await()
          .pollDelay(Duration.ofMillis(1500))
          .untilAsserted(() -> assertThat(waiting).isNotDone());
      double share =
          (double) (threads.getThreadCpuTime(threadId) - cpuNanos)
              / (System.nanoTime() - wallNanos);
      ranks.group(1).barrier();
      LocalRanks.get(waiting);
      assertThat(share).as("of one processor").isLessThan(0.2);
      System.out.println("SHARE " + share);
    }
  }

  /** A rank that passes blocks on sends more at once than another operation expects. */
  @ParameterizedTest
  @CsvSource({"4096, 4096, true", "131072, 135168, false", "135168, 131072, false"})
  void shouldNameTheMismatchWhereSomeRanksPassBlocksOn(
      long bytes, long otherBytes, boolean broadcast) {
    int size = 4;
    int other = 2;
    try (LocalRanks ranks = form(settings(size).withOperationTimeout(Duration.ofSeconds(5)))) {
      List<Throwable> failures =
          ranks.all().stream()
              .map(
                  rank ->
                      rank.group().rank() != other
                          ? allSum(rank.group(), bytes)
                          : broadcast
                              ? rank.group()
                                  .broadcastAsync(rank.group().allocate(otherBytes), 0)
                                  .toCompletableFuture()
                              : allSum(rank.group(), otherBytes))
              .toList()
              .stream()
              .map(result -> catchThrowable(() -> LocalRanks.get(result)))
              .toList();
      assertThat(failures).doesNotContainNull();
      assertThat(failures).anyMatch(OperationMismatchException.class::isInstance);
    }
  }

  @Test
  void shouldTimeOutNamingAPeerThatStalls() {
    GroupSettings impatient = settings(2).withOperationTimeout(Duration.ofMillis(500));
    try (LocalRanks ranks = form(impatient)) {
      assertThatThrownBy(() -> ranks.group(0).barrier())
          .isInstanceOf(OperationTimeoutException.class)
          .hasMessageContaining("rank 1 (test://host:9001)");
    }
  }

  @ParameterizedTest
  @CsvSource({"RING, 4, 2, 300", "MESH, 3, 1, 300"})
  void shouldNeverHangHoweverRanksStall(Topology topology, int size, int wires, int operations) {
    long seed = 20_251;
    GroupSettings settings =
        settings(size)
            .withTopology(topology)
            .withOperationTimeout(Duration.ofSeconds(30))
            .withRing(new GroupSettings.Ring(wires, 32768, 65536, false))
            .withMemory(new GroupSettings.Memory(64 << 10, 8L << 20, Path.of("/dev/shm")));
    try (LocalRanks ranks = form(settings)) {
      List<Integer> wrong =
          ranks.onAll(
              session -> {
                SplittableRandom sizes = new SplittableRandom(seed);
                SplittableRandom stalls = new SplittableRandom(seed + session.rank());
                MemorySegment data = session.allocate(2 << 20);
                int bad = 0;
                for (int i = 0; i < operations; i++) {
                  long elements = 1 + sizes.nextLong((2L << 20) / 4);
                  MemorySegment part = data.asSlice(0, elements * 4);
                  part.fill((byte) 0);
                  part.setAtIndex(JAVA_INT, elements - 1, session.rank() + 1);
                  if (stalls.nextInt(4) == 0) {
                    LockSupport.parkNanos(stalls.nextLong(2_000_000));
                  }
                  session.allSum(part, part, Dtype.INT32);
                  if (part.getAtIndex(JAVA_INT, elements - 1) != size * (size + 1) / 2) {
                    bad++;
                  }
                }
                return bad;
              });
      assertThat(wrong).as("wrong sums, seed %d", seed).containsOnly(0);
    }
  }

  @Test
  void shouldTellEveryRankWhyOneCannotConnect() {
    AtomicBoolean broken = new AtomicBoolean();
    GroupSettings settings = settings(3).withFormationTimeout(Duration.ofSeconds(4));
    // Rank 1 tells a port at which nobody listens.
    FabricProvider provider =
        new ForwardingProvider(
            fabrics.provider(),
            request -> {
              Fabric fabric = fabrics.open(request);
              if (request.rank() == 1) {
                fabric.established();
                broken.set(true);
              }
              return fabric;
            });
    try (LocalRanks ranks = LocalRanks.start(settings, provider, NanoClock.SYSTEM)) {
      List<Throwable> failures = new ArrayList<>();
      for (LocalRanks.Rank rank : ranks.all()) {
        failures.add(catchThrowable(() -> LocalRanks.get(rank.formed())));
      }
      assertThat(broken).isTrue();
      assertThat(failures)
          .allSatisfy(
              failure ->
                  assertThat(failure)
                      .isInstanceOf(FormationException.class)
                      .hasMessageContaining("could not connect links")
                      .hasMessageContaining("rank 1 (test://host:9001)")
                      .hasMessageContaining("Connection refused (ECONNREFUSED)"));
    }
  }

  @Test
  void shouldLeaveNothingBehindHoweverOftenGroupsForm() {
    GroupSettings settings =
        settings(2).withMemory(new GroupSettings.Memory(4096, 0, Path.of("/dev/shm")));
    List<SocketChannel> channels = new ArrayList<>();
    for (int formation = 0; formation < 50; formation++) {
      try (LocalRanks ranks = LocalRanks.form(settings, fabrics.provider(), NanoClock.SYSTEM)) {
        ranks.runOnAll(session -> session.barrier());
      }
      channels.add(fabrics.channel(0, 0));
      channels.add(fabrics.channel(1, 0));
    }
    await()
        .atMost(5, TimeUnit.SECONDS)
        .untilAsserted(
            () ->
                assertThat(channels).allSatisfy(channel -> assertThat(channel.isOpen()).isFalse()));
  }
}
