package io.jaccl4j.ring;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.jaccl4j.Dtype;
import io.jaccl4j.OperationTimeoutException;
import io.jaccl4j.PeerLostException;
import io.jaccl4j.ReduceOp;
import io.jaccl4j.testing.GuardedBuffers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Small blocks take another way among ranks of this library: nothing else may be different. */
@Timeout(120)
class PairExchangeTest {
  private static final RingOptions AS_IN_MLX =
      RingOptions.of(Duration.ofSeconds(20), Duration.ofSeconds(60));
  private static final RingOptions OPTIONS = AS_IN_MLX.withExtensions(true);

  private static final List<Dtype> TYPES =
      List.of(Dtype.INT8, Dtype.INT64, Dtype.FLOAT16, Dtype.BFLOAT16, Dtype.FLOAT32);

  private static MemorySegment random(Arena arena, Dtype dtype, long count, int rank) {
    MemorySegment data = arena.allocate(count * dtype.bytes(), 64);
    SplittableRandom random = new SplittableRandom(31 * count + rank);
    for (long i = 0; i < data.byteSize(); i++) {
      data.set(JAVA_BYTE, i, (byte) random.nextInt());
    }
    return data;
  }

  private static void reduce(
      MlxRing ring, ReduceOp op, MemorySegment in, MemorySegment out, Dtype dtype) {
    switch (op) {
      case SUM -> ring.allSum(in, out, dtype);
      case MAX -> ring.allMax(in, out, dtype);
      case MIN -> ring.allMin(in, out, dtype);
      case PRODUCT -> throw new IllegalArgumentException("MLX's ring has no product");
    }
  }

  /** Any bits at all: rounding, signed zeros, infinities and NaNs tell the order of a reduction. */
  @ParameterizedTest
  @ValueSource(ints = {2, 4, 6, 8})
  void shouldReduceToTheBitsOfMlx(int size) {
    long[] counts = {1, 2, size - 1, size, size + 1, 1000, 4096, 4097, 8191, 16_384, 16_385};
    try (RingRanks mlx = RingRanks.form(size, 1, AS_IN_MLX);
        RingRanks own = RingRanks.form(size, 2, OPTIONS);
        Arena arena = Arena.ofShared()) {
      for (Dtype dtype : TYPES) {
        for (long count : counts) {
          for (ReduceOp op : List.of(ReduceOp.SUM, ReduceOp.MAX, ReduceOp.MIN)) {
            MemorySegment[] want = new MemorySegment[size];
            mlx.runOnAll(
                ring -> {
                  want[ring.rank()] = arena.allocate(count * dtype.bytes(), 64);
                  MemorySegment in = random(arena, dtype, count, ring.rank());
                  reduce(ring, op, in, want[ring.rank()], dtype);
                });
            own.runOnAll(
                ring -> {
                  GuardedBuffers buffers = new GuardedBuffers(ring, arena, false);
                  MemorySegment data = random(arena, dtype, count, ring.rank());
                  MemorySegment in = buffers.copyOf(data);
                  MemorySegment out = buffers.zeros(data.byteSize());
                  reduce(ring, op, in, out, dtype);
                  String what = op + " " + dtype + " x" + count + " on rank " + ring.rank();
                  assertThat(out.mismatch(want[ring.rank()])).as(what).isEqualTo(-1);
                  assertThat(in.mismatch(data)).as(what).isEqualTo(-1);
                  reduce(ring, op, in, in, dtype);
                  assertThat(in.mismatch(out)).as("%s in place", what).isEqualTo(-1);
                  assertThat(buffers.areIntact()).as(what).isTrue();
                });
          }
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 4, 6, 10})
  void shouldGatherBlocksInRankOrder(int size) {
    try (RingRanks ranks = RingRanks.form(size, 1, OPTIONS);
        Arena arena = Arena.ofShared()) {
      for (long bytes : new long[] {1, 7, 16_384, 16_385, 26_214, 26_215, 65_536, 65_537}) {
        ranks.runOnAll(
            ring -> {
              MemorySegment in = random(arena, Dtype.INT8, bytes, ring.rank());
              MemorySegment out = arena.allocate(bytes * size);
              ring.allGather(in, out);
              MemorySegment own = arena.allocate(bytes * size);
              MemorySegment part = own.asSlice(bytes * ring.rank(), bytes).copyFrom(in);
              ring.allGather(part, own);
              for (int rank = 0; rank < size; rank++) {
                MemorySegment want = random(arena, Dtype.INT8, bytes, rank);
                assertThat(out.asSlice(bytes * rank, bytes).mismatch(want)).isEqualTo(-1);
              }
              assertThat(own.mismatch(out)).as("in place").isEqualTo(-1);
            });
      }
    }
  }

  /** Each operation leaves the streams where the next one begins, whatever way it takes. */
  @ParameterizedTest
  @ValueSource(ints = {2, 4, 6})
  void shouldMixWithOtherOperations(int size) {
    long seed = 77;
    int[] counts = {1, 3, 4096, 16_384, 16_385, 1_500_000};
    try (RingRanks ranks = RingRanks.form(size, 2, OPTIONS)) {
      ranks.runOnAll(
          ring -> {
            SplittableRandom random = new SplittableRandom(seed);
            MemorySegment memory = ring.allocate(4L * 1_500_000);
            for (int round = 0; round < 300; round++) {
              int from = random.nextInt(size);
              int to = (from + 1 + random.nextInt(size - 1)) % size;
              MemorySegment data = memory.asSlice(0, 4L * counts[random.nextInt(counts.length)]);
              String what = "seed " + seed + ", round " + round;
              if (random.nextInt(3) == 0) {
                data.fill((byte) ring.rank());
                if (ring.rank() == from) {
                  ring.send(data, to);
                } else if (ring.rank() == to) {
                  ring.recv(data, from);
                  assertThat(data.get(JAVA_BYTE, data.byteSize() - 1))
                      .as(what)
                      .isEqualTo((byte) from);
                }
              } else {
                data.fill((byte) 1);
                ring.allSum(data, data, Dtype.INT8);
                assertThat(data.get(JAVA_BYTE, 0)).as(what).isEqualTo((byte) size);
                assertThat(data.get(JAVA_BYTE, data.byteSize() - 1))
                    .as(what)
                    .isEqualTo((byte) size);
              }
            }
          });
    }
  }

  @Test
  void shouldEndWhereverANeighbourIsGone() {
    try (RingRanks ranks = RingRanks.form(4, 1, OPTIONS)) {
      ranks.ring(2).close();
      MemorySegment data = ranks.ring(1).allocate(4);
      assertThatThrownBy(() -> ranks.ring(1).allSum(data, data, Dtype.FLOAT32))
          .isInstanceOf(PeerLostException.class);
      List<MlxRing> others = List.of(ranks.ring(0), ranks.ring(1), ranks.ring(3));
      await().until(() -> others.stream().allMatch(ring -> ring.failure().isPresent()));
      // One of the neighbours at least has seen it with its own eyes.
      assertThat(others).anyMatch(ring -> ring.failure().orElseThrow().rank() == 2);
    }
  }

  @Test
  void shouldTimeOutSayingHowFarItGot() {
    RingOptions impatient =
        RingOptions.of(Duration.ofSeconds(20), Duration.ofMillis(200)).withExtensions(true);
    try (RingRanks ranks = RingRanks.form(4, 1, impatient)) {
      MemorySegment data = ranks.ring(3).allocate(12);
      assertThatThrownBy(() -> ranks.ring(3).allSum(data, data, Dtype.FLOAT32))
          .isInstanceOf(OperationTimeoutException.class)
          .hasMessageContaining(
              "in round 1 of 2, 12 bytes to be received from and 0 bytes to be sent to rank 2 (");
    }
  }
}
