package io.jaccl4j.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.jaccl4j.Dtype;
import io.jaccl4j.OperationMismatchException;
import io.jaccl4j.OperationTimeoutException;
import io.jaccl4j.PeerLostException;
import io.jaccl4j.ReduceOp;
import io.jaccl4j.testing.Elements;
import io.jaccl4j.testing.GuardedBuffers;
import io.jaccl4j.testing.LocalRanks;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What rings of our ranks alone can do besides. */
@Timeout(120)
class RingExtensionsTest {
  private static final RingOptions OPTIONS =
      RingOptions.of(Duration.ofSeconds(20), Duration.ofSeconds(60)).withExtensions(true);

  private static final List<Dtype> TYPES =
      List.of(
          Dtype.INT8,
          Dtype.INT16,
          Dtype.INT32,
          Dtype.INT64,
          Dtype.FLOAT16,
          Dtype.BFLOAT16,
          Dtype.FLOAT32,
          Dtype.FLOAT64);

  @ParameterizedTest
  @CsvSource({"2, 1", "3, 2", "4, 1", "5, 3", "8, 1"})
  void shouldScatterSums(int size, int connections) {
    try (RingRanks ranks = RingRanks.form(size, connections, OPTIONS)) {
      for (Dtype dtype : TYPES) {
        for (long count : new long[] {0, 1, 1000, 100_001}) {
          ranks.runOnAll(ring -> scatter(ring, dtype, count, count % 2 == 1));
        }
      }
      ranks.runOnAll(ring -> scatter(ring, Dtype.FLOAT64, 500_003, false));
    }
  }

  private static void scatter(MlxRing ring, Dtype dtype, long count, boolean inPlace) {
    try (Arena arena = Arena.ofShared()) {
      GuardedBuffers buffers = new GuardedBuffers(ring, arena, false);
      long bytes = count * dtype.bytes();
      long all = count * ring.size();
      MemorySegment input = Elements.fill(arena, dtype, 0, all, ring.rank());
      MemorySegment in = buffers.copyOf(input);
      MemorySegment out = inPlace ? in.asSlice(ring.rank() * bytes, bytes) : buffers.zeros(bytes);
      ring.sumScatter(in, out, dtype);
      MemorySegment want =
          Elements.reduced(arena, ReduceOp.SUM, dtype, count * ring.rank(), count, ring.size());
      assertThat(out.mismatch(want))
          .as("%s %d of rank %d", dtype, count, ring.rank())
          .isEqualTo(-1);
      assertThat(buffers.areIntact()).isTrue();
      if (!inPlace) {
        assertThat(in.mismatch(input)).as("input").isEqualTo(-1);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 5})
  void shouldHoldRanksBackAtABarrier(int size) {
    AtomicInteger arrived = new AtomicInteger();
    try (RingRanks ranks = RingRanks.form(size, 1, OPTIONS)) {
      for (int round = 1; round <= 50; round++) {
        int all = round * size;
        ranks.runOnAll(
            ring -> {
              arrived.incrementAndGet();
              ring.barrier();
              assertThat(arrived.get()).isGreaterThanOrEqualTo(all);
            });
      }
    }
  }

  /** Each pair in turn, both ways, while the ranks between have nothing to do. */
  @ParameterizedTest
  @ValueSource(ints = {4, 5, 7})
  void shouldReachEveryRank(int size) {
    int[] counts = {0, 1, 65_536, 65_537, 3_000_001};
    try (RingRanks ranks = RingRanks.form(size, 1, OPTIONS)) {
      ranks.runOnAll(
          ring -> {
            for (int from = 0; from < size; from++) {
              for (int to = 0; to < size; to++) {
                if (from != to && ring.rank() == from) {
                  for (int count : counts) {
                    ring.send(buffer(ring, ForeignRankTest.bytes(count, from)), to);
                  }
                } else if (from != to && ring.rank() == to) {
                  for (int count : counts) {
                    MemorySegment data = ring.allocate(count);
                    ring.recv(data, from);
                    assertThat(data.toArray(ValueLayout.JAVA_BYTE))
                        .as("%d bytes from %d to %d", count, from, to)
                        .isEqualTo(ForeignRankTest.bytes(count, from));
                  }
                }
              }
            }
            ring.barrier();
          });
    }
  }

  private static MemorySegment buffer(MlxRing ring, byte[] bytes) {
    MemorySegment data = ring.allocate(bytes.length);
    MemorySegment.copy(bytes, 0, data, ValueLayout.JAVA_BYTE, 0, bytes.length);
    return data;
  }

  /** All ranks send to the opposite one at once: every connection is full of others' data. */
  @Test
  void shouldNotBlockItselfWhenAllPassOnForAll() {
    int size = 6;
    int bytes = 5_000_000;
    try (RingRanks ranks = RingRanks.form(size, 1, OPTIONS)) {
      ranks.runOnAll(
          ring -> {
            for (int distance : new int[] {3, 2}) {
              int to = (ring.rank() + distance) % size;
              int from = Math.floorMod(ring.rank() - distance, size);
              MemorySegment mine = buffer(ring, ForeignRankTest.bytes(bytes, ring.rank()));
              MemorySegment got = ring.allocate(bytes);
              // Of a cycle of transfers the lowest rank begins with the send.
              if (ring.rank() < distance) {
                ring.send(mine, to);
                ring.recv(got, from);
              } else {
                ring.recv(got, from);
                ring.send(mine, to);
              }
              assertThat(got.toArray(ValueLayout.JAVA_BYTE))
                  .isEqualTo(ForeignRankTest.bytes(bytes, from));
            }
            ring.barrier();
          });
    }
  }

  @Test
  void shouldPassOnWhileTheRanksBetweenWaitInAnOperation() {
    try (RingRanks ranks = RingRanks.form(4, 1, OPTIONS)) {
      ranks.runOnAll(
          ring -> {
            if (ring.rank() == 0) {
              ring.send(buffer(ring, ForeignRankTest.bytes(2_000_000, 0)), 2);
            } else if (ring.rank() == 2) {
              MemorySegment data = ring.allocate(2_000_000);
              ring.recv(data, 0);
              assertThat(data.toArray(ValueLayout.JAVA_BYTE))
                  .isEqualTo(ForeignRankTest.bytes(2_000_000, 0));
            }
            assertThat(ForeignRankTest.allSum(ring, new int[] {1, 1, 1, 1}))
                .containsExactly(4, 4, 4, 4);
            ring.barrier();
          });
    }
  }

  @Test
  void shouldSayThatBothEndsDisagreeAboutTheLength() {
    try (RingRanks ranks = RingRanks.form(4, 1, OPTIONS)) {
      CompletableFuture<Void> receiving =
          CompletableFuture.runAsync(() -> ranks.ring(3).recv(ranks.ring(3).allocate(20), 1));
      assertThatThrownBy(() -> ranks.ring(1).send(ranks.ring(1).allocate(10), 3))
          .isInstanceOf(OperationMismatchException.class)
          .hasMessageContaining("rank 3 (")
          .hasMessageContaining("receives 20 bytes, want the 10 that are sent");
      assertThatThrownBy(() -> LocalRanks.get(receiving)).isInstanceOf(PeerLostException.class);
    }
  }

  @Test
  void shouldNameTheRankThatDoesNotReceive() {
    RingOptions impatient =
        RingOptions.of(Duration.ofSeconds(20), Duration.ofMillis(200)).withExtensions(true);
    try (RingRanks ranks = RingRanks.form(4, 1, impatient)) {
      OperationTimeoutException late =
          catchThrowableOfType(
              OperationTimeoutException.class,
              () -> ranks.ring(0).send(ranks.ring(0).allocate(10), 2));
      assertThat(late.failure().rank()).isEqualTo(2);
      assertThat(late.getMessage())
          .contains("rank 2 (")
          .contains("has not called recv from rank 0");
    }
  }

  @Test
  void shouldEndATransferWhenARankBetweenIsGone() {
    try (RingRanks ranks = RingRanks.form(4, 1, OPTIONS)) {
      CompletableFuture<Void> sending =
          CompletableFuture.runAsync(() -> ranks.ring(0).send(ranks.ring(0).allocate(10), 2));
      ranks.ring(1).close();
      assertThatThrownBy(() -> LocalRanks.get(sending)).isInstanceOf(PeerLostException.class);
      for (int rank : new int[] {0, 2, 3}) {
        Awaitility.await().until(() -> ranks.ring(rank).failure().isPresent());
      }
    }
  }
}
