package io.jaccl4j.collective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.jaccl4j.Dtype;
import io.jaccl4j.Group;
import io.jaccl4j.GroupSettings;
import io.jaccl4j.InvalidPeerException;
import io.jaccl4j.ReduceOp;
import io.jaccl4j.Session;
import io.jaccl4j.Topology;
import io.jaccl4j.UnsupportedOnWireException;
import io.jaccl4j.WireMode;
import io.jaccl4j.testing.Elements;
import io.jaccl4j.testing.LocalRanks;
import io.jaccl4j.testing.TestSettings;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Every operation over shared memory, as threads of this JVM, at the borders of its messages. */
@ParameterizedClass(name = "{0}")
@MethodSource("shapes")
class CollectivesTest {
  private static final Dtype[] DTYPES = {
    Dtype.FLOAT32,
    Dtype.INT32,
    Dtype.INT64,
    Dtype.FLOAT64,
    Dtype.BFLOAT16,
    Dtype.FLOAT16,
    Dtype.INT8
  };

  private static final List<ReduceOp> MLX_OPS = List.of(ReduceOp.SUM, ReduceOp.MAX, ReduceOp.MIN);

  /** One kind of group. */
  record Shape(Topology topology, int size, int wires, WireMode wire) {
    GroupSettings settings() {
      return TestSettings.of("collectives", size)
          .withTopology(topology)
          .withWire(wire)
          .withRing(new GroupSettings.Ring(wires, 32768, 65536, false));
    }
  }

  static List<Shape> shapes() {
    List<Shape> shapes = new ArrayList<>();
    for (int size : new int[] {2, 3, 4, 8}) {
      shapes.add(new Shape(Topology.MESH, size, 1, WireMode.EXACT));
    }
    shapes.add(new Shape(Topology.MESH, 3, 1, WireMode.MLX));
    for (int size : new int[] {2, 3, 5}) {
      shapes.add(new Shape(Topology.RING, size, 1, WireMode.EXACT));
      shapes.add(new Shape(Topology.RING, size, 2, WireMode.MLX));
    }
    shapes.add(new Shape(Topology.RING, 4, 4, WireMode.EXACT));
    return shapes;
  }

  private final Shape shape;
  private final int size;

  private LocalRanks ranks;

  CollectivesTest(Shape shape) {
    this.shape = shape;
    this.size = shape.size();
  }

  @BeforeEach
  void form() {
    ranks = LocalRanks.form(shape.settings());
  }

  @AfterEach
  void close() {
    ranks.close();
  }

  /** Around one frame, the small-buffer limit, one slot, two slots; and far beyond. */
  private static long[] counts(Dtype dtype) {
    int perFrame = 4096 / dtype.bytes();
    int perSmall = 32768 / dtype.bytes();
    int perSlot = (512 << 10) / dtype.bytes();
    return dtype == Dtype.FLOAT32
        ? new long[] {
          0,
          1,
          3,
          1000,
          perFrame - 1,
          perFrame,
          perFrame + 1,
          perSmall - 1,
          perSmall,
          perSmall + 1,
          perSlot - 1,
          perSlot,
          perSlot + 1,
          2L * perSlot + 1,
          1_000_003
        }
        : new long[] {1, 3, perSmall + 1, perSlot + 1};
  }

  @Test
  void shouldReduceToTheSameValuesOnAllRanks() {
    for (Dtype dtype : DTYPES) {
      for (long count : counts(dtype)) {
        for (ReduceOp op : MLX_OPS) {
          checkAllReduce(op, dtype, count, false, false);
        }
      }
    }
  }

  @Test
  void shouldReduceInPlace() {
    for (Dtype dtype : DTYPES) {
      for (long count : counts(dtype)) {
        checkAllReduce(ReduceOp.SUM, dtype, count, true, false);
      }
    }
  }

  private void checkAllReduce(
      ReduceOp op, Dtype dtype, long count, boolean inPlace, boolean registered) {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment want = Elements.reduced(arena, op, dtype, 0, count, size);
      List<Long> mismatches =
          ranks.onAll(
              session -> {
                MemorySegment data = Elements.fill(arena, dtype, 0, count, session.rank());
                MemorySegment in = registered ? registeredCopy(session, data) : data;
                MemorySegment out = inPlace ? in : fresh(session, arena, in, registered);
                reduce(session, op, in, out, dtype);
                if (!inPlace) {
                  assertThat(in.mismatch(data)).as("input is untouched").isEqualTo(-1);
                }
                return out.mismatch(want);
              });
      assertThat(mismatches)
          .as("%s %s x%d in place %s registered %s", op, dtype, count, inPlace, registered)
          .containsOnly(-1L);
    }
  }

  private static MemorySegment registeredCopy(Session session, MemorySegment data) {
    return session.allocate(data.byteSize()).copyFrom(data);
  }

  private static MemorySegment fresh(
      Session session, Arena arena, MemorySegment like, boolean registered) {
    return registered ? session.allocate(like.byteSize()) : arena.allocate(like.byteSize(), 64);
  }

  private static void reduce(
      Session session, ReduceOp op, MemorySegment in, MemorySegment out, Dtype dtype) {
    switch (op) {
      case SUM -> session.allSum(in, out, dtype);
      case MAX -> session.allMax(in, out, dtype);
      case MIN -> session.allMin(in, out, dtype);
      case PRODUCT -> session.allProduct(in, out, dtype);
    }
  }

  @Test
  void shouldReduceFromRegisteredMemory() {
    for (long count : new long[] {1, 11, 3000, 8193, 400_001}) {
      checkAllReduce(ReduceOp.SUM, Dtype.FLOAT32, count, false, true);
      checkAllReduce(ReduceOp.SUM, Dtype.FLOAT32, count, true, true);
    }
  }

  @Test
  void shouldGatherBlocksInRankOrder() {
    for (long count : counts(Dtype.INT32)) {
      try (Arena arena = Arena.ofShared()) {
        MemorySegment want = arena.allocate(4 * count * size, 64);
        for (int rank = 0; rank < size; rank++) {
          want.asSlice(4 * count * rank, 4 * count)
              .copyFrom(Elements.fill(arena, Dtype.INT32, 0, count, rank));
        }
        List<Long> mismatches =
            ranks.onAll(
                session -> {
                  MemorySegment in = Elements.fill(arena, Dtype.INT32, 0, count, session.rank());
                  MemorySegment out = arena.allocate(4 * count * size, 64);
                  session.allGather(in, out);
                  MemorySegment inPlace = arena.allocate(4 * count * size, 64);
                  MemorySegment own = inPlace.asSlice(4 * count * session.rank(), 4 * count);
                  session.allGather(own.copyFrom(in), inPlace);
                  return Math.max(out.mismatch(want), inPlace.mismatch(want));
                });
        assertThat(mismatches).as("count %d", count).containsOnly(-1L);
      }
    }
  }

  @Test
  void shouldScatterSums() {
    for (Dtype dtype : DTYPES) {
      for (long count :
          dtype == Dtype.FLOAT32
              ? new long[] {0, 1, 3, 1000, 8193, 16384, 16385, 131_073, 300_001}
              : new long[] {3, 8193}) {
        try (Arena arena = Arena.ofShared()) {
          List<Long> mismatches =
              ranks.onAll(
                  session -> {
                    MemorySegment in = Elements.fill(arena, dtype, 0, count * size, session.rank());
                    MemorySegment out = arena.allocate(count * dtype.bytes(), 64);
                    session.sumScatter(in, out, dtype);
                    MemorySegment own = in.asSlice(out.byteSize() * session.rank(), out.byteSize());
                    session.sumScatter(in, own, dtype);
                    MemorySegment want =
                        Elements.reduced(
                            arena, ReduceOp.SUM, dtype, count * session.rank(), count, size);
                    return Math.max(out.mismatch(want), own.mismatch(want));
                  });
          assertThat(mismatches).as("%s x%d", dtype, count).containsOnly(-1L);
        }
      }
    }
  }

  private static final long[] BLOCKS = {0, 1, 3, 4097, 524_289, 1_200_000};

  private void assumeExactWire() {
    assumeThat(shape.wire()).as("not in JACCL").isEqualTo(WireMode.EXACT);
  }

  @Test
  void shouldBroadcastFromAnyRoot() {
    assumeExactWire();
    for (long bytes : BLOCKS) {
      for (int root = 0; root < size; root++) {
        int from = root;
        try (Arena arena = Arena.ofShared()) {
          List<Long> mismatches =
              ranks.onAll(
                  session -> {
                    MemorySegment data = pattern(arena, bytes, session.rank());
                    session.broadcast(data, from);
                    return data.mismatch(pattern(arena, bytes, from));
                  });
          assertThat(mismatches).as("%d bytes from %d", bytes, root).containsOnly(-1L);
        }
      }
    }
  }

  @Test
  void shouldGatherToAndScatterFromTheRoot() {
    assumeExactWire();
    int root = size - 1;
    for (long bytes : BLOCKS) {
      try (Arena arena = Arena.ofShared()) {
        List<Long> mismatches =
            ranks.onAll(
                session -> {
                  boolean isRoot = session.rank() == root;
                  MemorySegment mine = pattern(arena, bytes, session.rank());
                  MemorySegment all = isRoot ? arena.allocate(size * bytes) : MemorySegment.NULL;
                  session.gather(mine, all, root);
                  long wrong = -1;
                  for (int rank = 0; isRoot && rank < size; rank++) {
                    wrong =
                        Math.max(
                            wrong,
                            all.asSlice(rank * bytes, bytes).mismatch(pattern(arena, bytes, rank)));
                  }
                  MemorySegment back = arena.allocate(bytes);
                  session.scatter(all, back, root);
                  return Math.max(wrong, back.mismatch(mine));
                });
        assertThat(mismatches).as("%d bytes", bytes).containsOnly(-1L);
      }
    }
  }

  @Test
  void shouldExchangeBlocksBetweenAllPairs() {
    assumeExactWire();
    for (long bytes : BLOCKS) {
      try (Arena arena = Arena.ofShared()) {
        List<Long> mismatches =
            ranks.onAll(
                session -> {
                  MemorySegment in = arena.allocate(size * bytes);
                  MemorySegment want = arena.allocate(size * bytes);
                  for (int peer = 0; peer < size; peer++) {
                    int mine = session.rank() * 16 + peer;
                    int theirs = peer * 16 + session.rank();
                    in.asSlice(peer * bytes, bytes).copyFrom(pattern(arena, bytes, mine));
                    want.asSlice(peer * bytes, bytes).copyFrom(pattern(arena, bytes, theirs));
                  }
                  MemorySegment out = arena.allocate(size * bytes);
                  session.allToAll(in, out);
                  return out.mismatch(want);
                });
        assertThat(mismatches).as("%d bytes", bytes).containsOnly(-1L);
      }
    }
  }

  @Test
  void shouldReduceToTheRoot() {
    assumeExactWire();
    for (long count : new long[] {0, 1, 1000, 8193, 300_001}) {
      for (ReduceOp op : MLX_OPS) {
        try (Arena arena = Arena.ofShared()) {
          int root = 1;
          MemorySegment want = Elements.reduced(arena, op, Dtype.FLOAT32, 0, count, size);
          List<Long> mismatches =
              ranks.onAll(
                  session -> {
                    MemorySegment in =
                        Elements.fill(arena, Dtype.FLOAT32, 0, count, session.rank());
                    boolean isRoot = session.rank() == root;
                    MemorySegment out = isRoot ? arena.allocate(4 * count) : MemorySegment.NULL;
                    session.reduce(op, in, out, Dtype.FLOAT32, root);
                    return isRoot ? out.mismatch(want) : -1;
                  });
          assertThat(mismatches).as("%s x%d", op, count).containsOnly(-1L);
        }
      }
    }
  }

  @Test
  void shouldMultiplyAndAverage() {
    assumeExactWire();
    long count = 20_001;
    List<Integer> wrong =
        ranks.onAll(
            session -> {
              MemorySegment in = session.allocate(8 * count);
              MemorySegment product = session.allocate(8 * count);
              MemorySegment average = session.allocate(8 * count);
              for (long i = 0; i < count; i++) {
                in.setAtIndex(ValueLayout.JAVA_DOUBLE, i, (i + session.rank()) % 3 + 1);
              }
              session.allProduct(in, product, Dtype.FLOAT64);
              session.allAverage(in, average, Dtype.FLOAT64);
              int bad = 0;
              for (long i = 0; i < count; i++) {
                double wantProduct = 1;
                double wantSum = 0;
                for (int rank = 0; rank < size; rank++) {
                  wantProduct *= (i + rank) % 3 + 1;
                  wantSum += (i + rank) % 3 + 1;
                }
                boolean same =
                    product.getAtIndex(ValueLayout.JAVA_DOUBLE, i) == wantProduct
                        && average.getAtIndex(ValueLayout.JAVA_DOUBLE, i) == wantSum / size;
                bad += same ? 0 : 1;
              }
              return bad;
            });
    assertThat(wrong).containsOnly(0);
  }

  @Test
  void shouldRefuseByNameWhatJacclDoesNotHave() {
    assumeThat(shape.wire()).isEqualTo(WireMode.MLX);
    MemorySegment cell = ranks.group(0).allocate(8L * size);
    Group group = ranks.group(0);
    Map<String, ThrowingCallable> operations =
        Map.of(
            "allProduct", () -> group.allProduct(cell, cell, Dtype.INT32),
            "allAverage", () -> group.allAverage(cell, cell, Dtype.INT32),
            "broadcast", () -> group.broadcast(cell, 0),
            "reduce", () -> group.reduce(ReduceOp.SUM, cell, cell, Dtype.INT32, 0),
            "gather", () -> group.gather(cell, cell, 0),
            "scatter", () -> group.scatter(cell, cell, 0),
            "allToAll", () -> group.allToAll(cell, cell));
    operations.forEach(
        (name, operation) ->
            assertThatThrownBy(operation)
                .isInstanceOf(UnsupportedOnWireException.class)
                .hasMessageStartingWith(name + " on rank 0: JACCL has no such operation"));
    ranks.runOnAll(Session::barrier);
  }

  @Test
  void shouldNameBothRanksWhenARingHasNoLinkBetweenThem() {
    assumeThat(shape.topology() == Topology.RING && size > 3).isTrue();
    MemorySegment cell = ranks.group(0).allocate(8);
    assertThatThrownBy(() -> ranks.group(0).send(cell, 2))
        .isInstanceOf(InvalidPeerException.class)
        .hasMessageContaining("there is no link between ranks 0 and 2 in this ring");
  }

  @Test
  void shouldPassDataAround() {
    long[] sizes = {
      0, 1, 40, 41, 4095, 4096, 4097, 8192, 8193, 524287, 524288, 524289, 1048577, 3_000_001
    };
    for (long bytes : sizes) {
      try (Arena arena = Arena.ofShared()) {
        List<Long> mismatches =
            ranks.onAll(
                session -> {
                  int right = (session.rank() + 1) % size;
                  int left = (session.rank() + size - 1) % size;
                  MemorySegment mine = pattern(arena, bytes, session.rank());
                  MemorySegment got = arena.allocate(bytes);
                  if (session.rank() == 0) {
                    session.send(mine, right);
                    session.recv(got, left);
                  } else {
                    session.recv(got, left);
                    session.send(mine, right);
                  }
                  return got.mismatch(pattern(arena, bytes, left));
                });
        assertThat(mismatches).as("%d bytes", bytes).containsOnly(-1L);
      }
    }
  }

  private static MemorySegment pattern(Arena arena, long bytes, int rank) {
    MemorySegment segment = arena.allocate(bytes);
    for (long i = 0; i < bytes; i++) {
      segment.set(ValueLayout.JAVA_BYTE, i, (byte) (i * 31 + rank * 101 + (i >> 8)));
    }
    return segment;
  }

  @Test
  void shouldRunManySmallOperationsBackToBack() {
    int rounds = 2000;
    List<Long> sums =
        ranks.onAll(
            session -> {
              MemorySegment cell = session.allocate(8);
              long total = 0;
              for (int i = 0; i < rounds; i++) {
                cell.set(ValueLayout.JAVA_LONG, 0, i + session.rank());
                session.allSum(cell, cell, Dtype.INT64);
                total += cell.get(ValueLayout.JAVA_LONG, 0);
                if (i % 100 == 0) {
                  session.barrier();
                }
              }
              return total;
            });
    long ranksSum = Stream.iterate(0, r -> r + 1).limit(size).mapToLong(r -> r).sum();
    long want = (long) size * rounds * (rounds - 1) / 2 + rounds * ranksSum;
    assertThat(sums).containsOnly(want);
  }

  @Test
  void shouldKeepSmallMessagesUntilTheyAreReceived() {
    // On JACCL's wire even a small message fills a slot until it is taken; there are two.
    int messages = shape.wire() == WireMode.MLX ? 2 : 6;
    Integer sent =
        LocalRanks.get(
            ranks
                .group(0)
                .run(
                    session -> {
                      MemorySegment cell = session.allocate(4);
                      for (int i = 1; i <= messages; i++) {
                        cell.set(ValueLayout.JAVA_INT, 0, i);
                        session.send(cell, 1);
                      }
                      return messages;
                    })
                .toCompletableFuture());
    Integer digits =
        LocalRanks.get(
            ranks
                .group(1)
                .run(
                    session -> {
                      MemorySegment cell = session.allocate(4);
                      int received = 0;
                      for (int i = 0; i < messages; i++) {
                        session.recv(cell, 0);
                        received = 10 * received + cell.get(ValueLayout.JAVA_INT, 0);
                      }
                      return received;
                    })
                .toCompletableFuture());
    assertThat(sent).isEqualTo(messages);
    assertThat(digits).isEqualTo(shape.wire() == WireMode.MLX ? 12 : 123456);
  }
}
