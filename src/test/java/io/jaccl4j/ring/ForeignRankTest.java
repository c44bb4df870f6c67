package io.jaccl4j.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.jaccl4j.Dtype;
import io.jaccl4j.testing.LocalRanks;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rings of our ranks and one that behaves like MLX's, at every place. */
class ForeignRankTest {
  private static final RingOptions OPTIONS =
      RingOptions.of(Duration.ofSeconds(20), Duration.ofSeconds(20));

  /** Fewer than ranks, one packet, several packets, both directions, all connections. */
  private static final int[] COUNTS = {0, 1, 2, 1000, 300_001, 700_001, 3_000_001};

  private final ExecutorService threads = Executors.newCachedThreadPool();

  /**
   * @param mostBytesPerWrite of the foreign rank
   */
  record Shape(int size, int connections, int foreign, int mostBytesPerWrite) {}

  static List<Shape> shapes() {
    List<Shape> shapes = new ArrayList<>();
    for (int size = 2; size <= 4; size++) {
      for (int foreign = 0; foreign < size; foreign++) {
        shapes.add(new Shape(size, 1 + foreign % 2, foreign, Integer.MAX_VALUE));
      }
    }
    shapes.add(new Shape(3, 2, 0, 4001));
    shapes.add(new Shape(2, 3, 1, 1009));
    return shapes;
  }

  @AfterEach
  void stopThreads() {
    threads.shutdownNow();
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void shouldReduceWithARankOfMlx(Shape shape) {
    run(
        shape,
        (foreign, results) -> {
          for (int count : COUNTS) {
            int[] data = input(count, shape.foreign());
            foreign.allSum(data);
            results.add(data);
          }
        },
        (ring, results) -> {
          for (int count : COUNTS) {
            int[] data = input(count, ring.rank());
            results.add(allSum(ring, data));
          }
        },
        results -> {
          for (int i = 0; i < COUNTS.length; i++) {
            assertThat((int[]) results.get(i))
                .as("%d elements", COUNTS[i])
                .isEqualTo(sum(COUNTS[i], shape.size()));
          }
        });
  }

  /** Neighbours on both sides that hold back each packet until the one before it is through. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void shouldReduceAmongRanksOfMlxAlone(int ours) {
    RingHosts hosts = RingRanks.hosts(3, 2);
    List<CompletableFuture<int[]>> sums = new ArrayList<>();
    List<ForeignRank> foreign = new ArrayList<>();
    for (int rank = 0; rank < 3; rank++) {
      int of = rank;
      if (rank == ours) {
        sums.add(
            CompletableFuture.supplyAsync(
                () -> {
                  try (MlxRing ring = MlxRing.connect(hosts, of, OPTIONS)) {
                    int[] sum = allSum(ring, input(9_000_001, of));
                    // The others may not be through when this one is.
                    allSum(ring, new int[] {1});
                    return sum;
                  }
                },
                threads));
      } else {
        ForeignRank one = new ForeignRank(hosts, rank);
        foreign.add(one);
        sums.add(
            CompletableFuture.supplyAsync(
                () -> {
                  one.withSmallBuffers().connect();
                  int[] sum = input(9_000_001, of);
                  one.allSum(sum);
                  one.allSum(new int[] {1});
                  return sum;
                },
                threads));
      }
    }
    int[] want = sum(9_000_001, 3);
    for (CompletableFuture<int[]> sum : sums) {
      assertThat(Arrays.equals(LocalRanks.get(sum), want)).isTrue();
    }
    foreign.forEach(ForeignRank::close);
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void shouldGatherWithARankOfMlx(Shape shape) {
    run(
        shape,
        (foreign, results) -> {
          for (int count : COUNTS) {
            results.add(foreign.allGather(bytes(count, shape.foreign())));
          }
        },
        (ring, results) -> {
          for (int count : COUNTS) {
            results.add(allGather(ring, bytes(count, ring.rank())));
          }
        },
        results -> {
          for (int i = 0; i < COUNTS.length; i++) {
            byte[] all = (byte[]) results.get(i);
            for (int rank = 0; rank < shape.size(); rank++) {
              assertThat(all)
                  .as("%d bytes of rank %d", COUNTS[i], rank)
                  .hasSize(shape.size() * COUNTS[i]);
              assertThat(
                      Arrays.equals(
                          all,
                          rank * COUNTS[i],
                          (rank + 1) * COUNTS[i],
                          bytes(COUNTS[i], rank),
                          0,
                          COUNTS[i]))
                  .isTrue();
            }
          }
        });
  }

  /** Around the ring both ways, rank 0 first: then all sockets have carried both directions. */
  @ParameterizedTest
  @MethodSource("shapes")
  void shouldPassOnWithARankOfMlx(Shape shape) {
    int[] counts = {1, 1023, 1024, 1025, 2049, 100_003, 3_000_001};
    run(
        shape,
        (foreign, results) -> {
          for (int count : counts) {
            for (boolean right : new boolean[] {true, false}) {
              byte[] own = bytes(count, shape.foreign());
              // In a pair MLX always sends to the right and receives from the left.
              boolean sendRight = right || shape.size() == 2;
              if (shape.foreign() == 0) {
                foreign.send(own, sendRight);
              }
              results.add(foreign.receive(count, sendRight));
              if (shape.foreign() != 0) {
                foreign.send(own, sendRight);
              }
            }
          }
        },
        (ring, results) -> {
          for (int count : counts) {
            for (int step : new int[] {1, -1}) {
              results.add(pass(ring, bytes(count, ring.rank()), step));
            }
          }
        },
        null);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void shouldWaitForARankOfMlxThatComesLate(int foreign) {
    RingHosts hosts = RingRanks.hosts(3, 2);
    List<CompletableFuture<MlxRing>> connecting = connectAllBut(hosts, foreign, OPTIONS);
    // Ours have found nobody several times by then.
    Awaitility.await()
        .pollDelay(Duration.ofMillis(300))
        .until(() -> connecting.stream().noneMatch(CompletableFuture::isDone));
    finish(hosts, foreign, connecting);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void shouldFindARankOfMlxThatCameEarly(int foreign) {
    RingHosts hosts = RingRanks.hosts(3, 2);
    ForeignRank rank = new ForeignRank(hosts, foreign);
    CompletableFuture<ForeignRank> early = CompletableFuture.supplyAsync(rank::connect, threads);
    Awaitility.await().pollDelay(Duration.ofMillis(100)).until(() -> !early.isDone());
    List<CompletableFuture<MlxRing>> connecting = connectAllBut(hosts, foreign, OPTIONS);
    try (ForeignRank connected = LocalRanks.get(early)) {
      checkTogether(connected, connecting);
    }
  }

  private void finish(RingHosts hosts, int foreign, List<CompletableFuture<MlxRing>> connecting) {
    try (ForeignRank rank = new ForeignRank(hosts, foreign).connect()) {
      checkTogether(rank, connecting);
    }
  }

  private void checkTogether(ForeignRank rank, List<CompletableFuture<MlxRing>> connecting) {
    List<CompletableFuture<int[]>> sums = new ArrayList<>();
    List<MlxRing> rings = new ArrayList<>();
    for (CompletableFuture<MlxRing> one : connecting) {
      MlxRing ring = LocalRanks.get(one);
      rings.add(ring);
      sums.add(CompletableFuture.supplyAsync(() -> allSum(ring, new int[] {1, 2, 3, 4}), threads));
    }
    int[] data = {1, 2, 3, 4};
    rank.allSum(data);
    assertThat(data).containsExactly(3, 6, 9, 12);
    for (CompletableFuture<int[]> sum : sums) {
      assertThat(LocalRanks.get(sum)).containsExactly(3, 6, 9, 12);
    }
    rings.forEach(MlxRing::close);
  }

  private List<CompletableFuture<MlxRing>> connectAllBut(
      RingHosts hosts, int foreign, RingOptions options) {
    List<CompletableFuture<MlxRing>> connecting = new ArrayList<>();
    for (int rank = 0; rank < hosts.size(); rank++) {
      if (rank != foreign) {
        int ours = rank;
        connecting.add(
            CompletableFuture.supplyAsync(() -> MlxRing.connect(hosts, ours, options), threads));
      }
    }
    return connecting;
  }

  @Test
  void shouldTellMessagesApartThatCameInOneWrite() throws Exception {
    RingHosts hosts = RingRanks.hosts(2, 1);
    List<CompletableFuture<MlxRing>> connecting = connectAllBut(hosts, 1, OPTIONS);
    try (ForeignRank foreign = new ForeignRank(hosts, 1).connect();
        MlxRing ring = LocalRanks.get(connecting.getFirst())) {
      byte[] all = bytes(10 + 20_000 + 1, 1);
      foreign.right(0).getOutputStream().write(all);
      byte[] got = new byte[all.length];
      int from = 0;
      for (int count : new int[] {10, 20_000, 1}) {
        MemorySegment data = ring.allocate(count);
        ring.recv(data, 1);
        MemorySegment.copy(data, ValueLayout.JAVA_BYTE, 0, got, from, count);
        from += count;
      }
      assertThat(got).isEqualTo(all);
    }
  }

  private interface Script<R> {
    void run(R rank, List<Object> results);
  }

  private interface Check {
    void check(List<Object> results);
  }

  /** Runs both scripts on all ranks and checks each rank's results, by default that they passed. */
  private void run(Shape shape, Script<ForeignRank> foreign, Script<MlxRing> ours, Check check) {
    RingHosts hosts = RingRanks.hosts(shape.size(), shape.connections());
    List<CompletableFuture<MlxRing>> connecting = connectAllBut(hosts, shape.foreign(), OPTIONS);
    try (ForeignRank rank =
        new ForeignRank(hosts, shape.foreign(), shape.mostBytesPerWrite(), 42).connect()) {
      List<List<Object>> results = new ArrayList<>();
      List<CompletableFuture<Void>> running = new ArrayList<>();
      List<MlxRing> rings = new ArrayList<>();
      for (CompletableFuture<MlxRing> one : connecting) {
        MlxRing ring = LocalRanks.get(one);
        rings.add(ring);
        List<Object> ofRank = new ArrayList<>();
        results.add(ofRank);
        running.add(CompletableFuture.runAsync(() -> ours.run(ring, ofRank), threads));
      }
      List<Object> ofForeign = new ArrayList<>();
      results.add(ofForeign);
      running.add(CompletableFuture.runAsync(() -> foreign.run(rank, ofForeign), threads));
      running.forEach(LocalRanks::get);
      if (check != null) {
        results.forEach(check::check);
      } else {
        checkPassed(shape, rings, results);
      }
      rings.forEach(MlxRing::close);
    }
  }

  private static void checkPassed(Shape shape, List<MlxRing> rings, List<List<Object>> results) {
    for (int i = 0; i < results.size(); i++) {
      int rank = i < rings.size() ? rings.get(i).rank() : shape.foreign();
      for (int j = 0; j < results.get(i).size(); j++) {
        byte[] got = (byte[]) results.get(i).get(j);
        int from = Math.floorMod(j % 2 == 0 ? rank - 1 : rank + 1, shape.size());
        assertThat(got).as("message %d of rank %d", j, rank).isEqualTo(bytes(got.length, from));
      }
    }
  }

  static int[] allSum(MlxRing ring, int[] values) {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment data = arena.allocate(4L * values.length + 4).asSlice(0, 4L * values.length);
      MemorySegment.copy(values, 0, data, ValueLayout.JAVA_INT, 0, values.length);
      ring.allSum(data, data, Dtype.INT32);
      return data.toArray(ValueLayout.JAVA_INT);
    }
  }

  private static byte[] allGather(MlxRing ring, byte[] own) {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment in = arena.allocate(own.length + 1).asSlice(0, own.length);
      MemorySegment.copy(own, 0, in, ValueLayout.JAVA_BYTE, 0, own.length);
      long bytes = (long) ring.size() * own.length;
      MemorySegment out = arena.allocate(bytes + 1).asSlice(0, bytes);
      ring.allGather(in, out);
      return out.toArray(ValueLayout.JAVA_BYTE);
    }
  }

  private static byte[] pass(MlxRing ring, byte[] own, int step) {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment in = arena.allocate(own.length);
      MemorySegment.copy(own, 0, in, ValueLayout.JAVA_BYTE, 0, own.length);
      MemorySegment out = arena.allocate(own.length);
      int to = Math.floorMod(ring.rank() + step, ring.size());
      int from = Math.floorMod(ring.rank() - step, ring.size());
      if (ring.rank() == 0) {
        ring.send(in, to);
        ring.recv(out, from);
      } else {
        ring.recv(out, from);
        ring.send(in, to);
      }
      return out.toArray(ValueLayout.JAVA_BYTE);
    }
  }

  static int[] input(int count, int rank) {
    Random random = new Random(1_000 + rank);
    return random.ints(count).toArray();
  }

  private static int[] sum(int count, int size) {
    int[] sum = new int[count];
    for (int rank = 0; rank < size; rank++) {
      int[] input = input(count, rank);
      for (int i = 0; i < count; i++) {
        sum[i] += input[i];
      }
    }
    return sum;
  }

  static byte[] bytes(int count, int rank) {
    byte[] bytes = new byte[count];
    new Random(rank).nextBytes(bytes);
    return bytes;
  }
}
