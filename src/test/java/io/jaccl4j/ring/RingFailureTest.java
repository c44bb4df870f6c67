package io.jaccl4j.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.jaccl4j.Dtype;
import io.jaccl4j.GroupClosedException;
import io.jaccl4j.GroupFailedException;
import io.jaccl4j.GroupFailure;
import io.jaccl4j.JacclException;
import io.jaccl4j.OperationTimeoutException;
import io.jaccl4j.PeerLostException;
import io.jaccl4j.testing.LocalRanks;
import io.jaccl4j.testing.ShiftedClock;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** How operations end that cannot be completed. */
@Timeout(60)
class RingFailureTest {
  /** So long that only what is tested can end an operation. */
  private static final RingOptions OPTIONS =
      RingOptions.of(Duration.ofSeconds(20), Duration.ofSeconds(300));

  private static final int LARGE = 4_000_000;

  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void stopThreads() {
    threads.shutdownNow();
  }

  /** How a rank goes. */
  enum Departure {
    CLOSED {
      @Override
      void of(ForeignRank rank) {
        rank.leave();
      }
    },
    RESET {
      @Override
      void of(ForeignRank rank) {
        rank.reset();
      }
    },
    HALF_CLOSED {
      @Override
      void of(ForeignRank rank) {
        rank.halfClose();
      }
    };

    abstract void of(ForeignRank rank);
  }

  /** When it goes. */
  enum Phase {
    BETWEEN_OPERATIONS,
    BEFORE_ITS_PART,
    IN_THE_MIDDLE
  }

  static Stream<Loss> departures() {
    return Arrays.stream(Departure.values())
        .flatMap(
            departure ->
                Arrays.stream(Phase.values())
                    .flatMap(
                        phase -> Stream.of(0, 1, 2).map(rank -> new Loss(departure, phase, rank))));
  }

  /** Who goes when and how. */
  record Loss(Departure departure, Phase phase, int rank) {}

  private List<CompletableFuture<MlxRing>> connectAllBut(RingHosts hosts, int foreign) {
    List<CompletableFuture<MlxRing>> connecting = new ArrayList<>();
    for (int rank = 0; rank < hosts.size(); rank++) {
      if (rank != foreign) {
        int ours = rank;
        connecting.add(
            CompletableFuture.supplyAsync(() -> MlxRing.connect(hosts, ours, OPTIONS), threads));
      }
    }
    return connecting;
  }

  @ParameterizedTest
  @MethodSource("departures")
  void shouldEndEverythingWhenARankIsGone(Loss how) {
    RingHosts hosts = RingRanks.hosts(3, 2);
    List<CompletableFuture<MlxRing>> connecting = connectAllBut(hosts, how.rank());
    try (ForeignRank foreign = new ForeignRank(hosts, how.rank()).connect()) {
      List<MlxRing> rings = connecting.stream().map(LocalRanks::get).toList();
      List<CompletableFuture<int[]>> running = new ArrayList<>();
      if (how.phase() != Phase.BETWEEN_OPERATIONS) {
        for (MlxRing ring : rings) {
          running.add(
              CompletableFuture.supplyAsync(
                  () -> ForeignRankTest.allSum(ring, new int[LARGE]), threads));
        }
      }
      if (how.phase() == Phase.IN_THE_MIDDLE) {
        // Some of what both neighbours send, and some of what they expect.
        ForeignRank.read(foreign.right(0), 100_000);
        ForeignRank.read(foreign.left(0), 100_000);
        foreign.send(new byte[10_001], true);
      }
      how.departure().of(foreign);
      for (CompletableFuture<int[]> sum : running) {
        assertLost(hosts, catchThrowableOfType(PeerLostException.class, () -> LocalRanks.get(sum)));
      }
      for (MlxRing ring : rings) {
        Awaitility.await().until(() -> ring.failure().isPresent());
        PeerLostException later =
            catchThrowableOfType(
                PeerLostException.class, () -> ForeignRankTest.allSum(ring, new int[3]));
        assertLost(hosts, later);
        assertThat(later.failure()).isEqualTo(ring.failure().orElseThrow());
        ring.close();
      }
      // One of the neighbours at least has seen it with its own eyes.
      assertThat(rings).anyMatch(ring -> ring.failure().orElseThrow().rank() == how.rank());
    }
  }

  private static void assertLost(RingHosts hosts, PeerLostException lost) {
    GroupFailure failure = lost.failure();
    assertThat(failure.kind()).isEqualTo(GroupFailure.Kind.PEER_LOST);
    assertThat(hosts.rows().get(failure.rank()))
        .extracting(RingHosts::text)
        .contains(failure.address());
    assertThat(lost.getMessage()).contains("rank " + failure.rank() + " (").contains("connection");
    assertThat(lost.getMessage().toLowerCase()).doesNotContain("success").doesNotContain("null");
  }

  @Test
  void shouldCompleteWhatItHasAlthoughItsNeighbourIsGone() throws Exception {
    RingHosts hosts = RingRanks.hosts(2, 1);
    List<CompletableFuture<MlxRing>> connecting = connectAllBut(hosts, 1);
    byte[] sent = ForeignRankTest.bytes(1_000_000, 1);
    try (ForeignRank foreign = new ForeignRank(hosts, 1).connect();
        MlxRing ring = LocalRanks.get(connecting.getFirst())) {
      MemorySegment data = ring.allocate(sent.length);
      CountDownLatch begun = new CountDownLatch(1);
      CompletableFuture<Integer> receiving =
          ring.run(
                  session -> {
                    begun.countDown();
                    session.recv(data, 1);
                    return session.rank();
                  })
              .toCompletableFuture();
      // Between operations it would rightly fail: the connection without data has ended, too.
      assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
      foreign.send(sent, true);
      foreign.leave();
      LocalRanks.get(receiving);
      assertThat(data.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(sent);
      assertThatThrownBy(() -> ring.recv(data, 1)).isInstanceOf(PeerLostException.class);
    }
  }

  @Test
  void shouldReceiveWhatANeighbourLeftBehind() throws Exception {
    RingHosts hosts = RingRanks.hosts(2, 1);
    List<CompletableFuture<MlxRing>> connecting = connectAllBut(hosts, 1);
    byte[] sent = ForeignRankTest.bytes(10_000, 1);
    try (ForeignRank foreign = new ForeignRank(hosts, 1).connect();
        MlxRing ring = LocalRanks.get(connecting.getFirst())) {
      foreign.right(0).getOutputStream().write(sent);
      foreign.right(0).close();
      MemorySegment data = ring.allocate(sent.length);
      ring.recv(data, 1);
      assertThat(data.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(sent);
      Awaitility.await().until(() -> ring.failure().isPresent());
      assertThat(ring.failure().orElseThrow().rank()).isEqualTo(1);
    }
  }

  /** An operation that waits for a rank that does nothing. */
  enum Waiting {
    ALL_SUM {
      @Override
      void on(MlxRing ring) {
        MemorySegment data = ring.allocate(4000);
        ring.allSum(data, data, Dtype.INT32);
      }
    },
    ALL_GATHER {
      @Override
      void on(MlxRing ring) {
        ring.allGather(ring.allocate(4000), ring.allocate(8000));
      }
    },
    SEND {
      @Override
      void on(MlxRing ring) {
        ring.send(ring.allocate(100_000_000), 1);
      }
    },
    RECEIVE {
      @Override
      void on(MlxRing ring) {
        ring.recv(ring.allocate(1), 1);
      }
    };

    abstract void on(MlxRing ring);
  }

  private interface WaitingTest {
    void run(RingHosts hosts, MlxRing ring, CompletableFuture<Void> operation, Thread caller);
  }

  private void whileWaiting(Waiting waiting, RingOptions options, WaitingTest test) {
    RingHosts hosts = RingRanks.hosts(2, 1);
    CompletableFuture<MlxRing> connecting =
        CompletableFuture.supplyAsync(() -> MlxRing.connect(hosts, 0, options), threads);
    try (ForeignRank foreign = new ForeignRank(hosts, 1).connect();
        MlxRing ring = LocalRanks.get(connecting)) {
      assertThat(foreign.left(0).isConnected()).isTrue();
      CompletableFuture<Thread> caller = new CompletableFuture<>();
      CompletableFuture<Void> operation =
          CompletableFuture.runAsync(
              () -> {
                caller.complete(Thread.currentThread());
                waiting.on(ring);
              },
              threads);
      Thread calling = LocalRanks.get(caller);
      Awaitility.await().until(() -> calling.getState() == Thread.State.TIMED_WAITING);
      test.run(hosts, ring, operation, calling);
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldNameTheNeighbourAtTheDeadline(Waiting waiting) {
    ShiftedClock clock = new ShiftedClock();
    whileWaiting(
        waiting,
        OPTIONS.withNanoClock(clock::nanoTime),
        (hosts, ring, operation, caller) -> {
          clock.forward(Duration.ofSeconds(301));
          OperationTimeoutException late =
              catchThrowableOfType(
                  OperationTimeoutException.class, () -> LocalRanks.get(operation));
          assertThat(late.failure().rank()).isEqualTo(1);
          assertThat(late.failure().address()).isEqualTo(RingHosts.text(hosts.address(1, 0)));
          assertThat(late.getMessage())
              .contains("rank 1 (")
              .containsPattern("(received|sent) \\d+ of \\d+ bytes");
          assertThatThrownBy(() -> ring.allSum(ring.allocate(4), ring.allocate(4), Dtype.INT32))
              .isInstanceOf(OperationTimeoutException.class)
              .hasMessageContaining(late.failure().detail());
        });
  }

  @ParameterizedTest
  @EnumSource
  void shouldEndWhenTheRingIsClosedByAnotherThread(Waiting waiting) {
    whileWaiting(
        waiting,
        OPTIONS,
        (hosts, ring, operation, caller) -> {
          ring.close();
          assertThatThrownBy(() -> LocalRanks.get(operation))
              .isInstanceOf(GroupClosedException.class)
              .hasMessageContaining("closed on rank 0");
          assertThatThrownBy(() -> ring.allocate(1)).isInstanceOf(GroupClosedException.class);
        });
  }

  @ParameterizedTest
  @EnumSource
  void shouldEndWhenItsCallerIsInterrupted(Waiting waiting) {
    whileWaiting(
        waiting,
        OPTIONS,
        (hosts, ring, operation, caller) -> {
          caller.interrupt();
          assertThatThrownBy(() -> LocalRanks.get(operation))
              .isInstanceOf(GroupFailedException.class)
              .hasMessageContaining("its caller was interrupted");
        });
  }

  @Test
  void shouldWithdrawAnInterruptedOperationThatHasNotBegun() {
    whileWaiting(
        Waiting.RECEIVE,
        OPTIONS,
        (hosts, ring, operation, caller) -> {
          CompletableFuture<Thread> second = new CompletableFuture<>();
          CompletableFuture<Void> queued =
              CompletableFuture.runAsync(
                  () -> {
                    second.complete(Thread.currentThread());
                    Waiting.RECEIVE.on(ring);
                  },
                  threads);
          Thread thread = LocalRanks.get(second);
          Awaitility.await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);
          thread.interrupt();
          assertThatThrownBy(() -> LocalRanks.get(queued))
              .isInstanceOf(JacclException.class)
              .hasMessageContaining("interrupted before it began");
          assertThat(operation).isNotDone();
          assertThat(ring.failure()).isEmpty();
        });
  }

  @Test
  void shouldGiveUpBehindAFunctionThatBlocksTheRing() {
    ShiftedClock clock = new ShiftedClock();
    CountDownLatch release = new CountDownLatch(1);
    try (RingRanks ranks = RingRanks.form(2, 1, OPTIONS.withNanoClock(clock::nanoTime))) {
      MlxRing ring = ranks.ring(0);
      CompletableFuture<Boolean> blocking =
          ring.run(session -> awaitUninterrupted(release)).toCompletableFuture();
      CompletableFuture<Void> queued =
          CompletableFuture.runAsync(() -> Waiting.RECEIVE.on(ring), threads);
      Awaitility.await().until(() -> !queued.isDone());
      clock.forward(Duration.ofSeconds(303));
      assertThatThrownBy(() -> LocalRanks.get(queued))
          .isInstanceOf(OperationTimeoutException.class)
          .hasMessageContaining("busy with a function given to run");
      release.countDown();
      assertThat(LocalRanks.get(blocking)).isTrue();
    } finally {
      release.countDown();
    }
  }

  private static boolean awaitUninterrupted(CountDownLatch release) {
    try {
      return release.await(30, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      return false;
    }
  }

  @Test
  void shouldHardlyUseTheProcessorWhileItWaits() {
    whileWaiting(
        Waiting.ALL_SUM,
        OPTIONS,
        (hosts, ring, operation, caller) ->
            assertThat(busyPart("jaccl-ring-0")).as("part of a processor").isLessThan(0.1));
  }

  @Test
  void shouldHardlyUseTheProcessorWhileItIsIdle() {
    try (RingRanks ranks = RingRanks.form(8, 2, OPTIONS)) {
      assertThat(ranks.size()).isEqualTo(8);
      assertThat(busyPart("jaccl-ring-")).as("part of a processor").isLessThan(0.05);
    }
  }

  /** What threads used of a processor in about a second. */
  private static double busyPart(String name) {
    List<Long> ids =
        Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> thread.getName().startsWith(name))
            .map(Thread::threadId)
            .toList();
    assertThat(ids).isNotEmpty();
    long beforeNanos = System.nanoTime();
    long busyBefore = cpuNanos(ids);
    Awaitility.await()
        .pollDelay(Duration.ofSeconds(1))
        .until(() -> System.nanoTime() - beforeNanos > TimeUnit.SECONDS.toNanos(1));
    double wallNanos = System.nanoTime() - beforeNanos;
    return (cpuNanos(ids) - busyBefore) / wallNanos;
  }

  private static long cpuNanos(List<Long> ids) {
    return ids.stream()
        .mapToLong(id -> ManagementFactory.getThreadMXBean().getThreadCpuTime(id))
        .sum();
  }
}
