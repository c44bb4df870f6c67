package io.jaccl4j.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jaccl4j.Dtype;
import io.jaccl4j.InvalidBufferException;
import io.jaccl4j.InvalidPeerException;
import io.jaccl4j.ReduceOp;
import io.jaccl4j.UnsupportedOnWireException;
import io.jaccl4j.buffer.BufferChecks;
import io.jaccl4j.testing.LocalRanks;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is refused before anything is sent: the ring stays usable. */
@Timeout(60)
class RingRefusalsTest {
  private static final RingOptions OPTIONS =
      RingOptions.of(Duration.ofSeconds(20), Duration.ofSeconds(20));
  private static RingRanks ranks;

  @BeforeAll
  static void form() {
    ranks = RingRanks.form(4, 1, OPTIONS);
  }

  @AfterAll
  static void close() {
    ranks.close();
  }

  @AfterEach
  void shouldStillBeUsable() {
    ranks.runOnAll(
        ring ->
            assertThat(ForeignRankTest.allSum(ring, new int[] {1, 2, 3, 4}))
                .containsExactly(4, 8, 12, 16));
  }

  private static MlxRing ring() {
    return ranks.ring(0);
  }

  @Test
  void shouldRefuseByNameWhatMlxDoesNotHave() {
    MemorySegment data = ring().allocate(16);
    MemorySegment other = ring().allocate(16);
    Map<String, ThrowingCallable> refused =
        Map.ofEntries(
            Map.entry("allProduct", () -> ring().allProduct(data, data, Dtype.INT32)),
            Map.entry("allAverage", () -> ring().allAverage(data, data, Dtype.INT32)),
            Map.entry("broadcast", () -> ring().broadcast(data, 0)),
            Map.entry("reduce", () -> ring().reduce(ReduceOp.SUM, data, data, Dtype.INT32, 0)),
            Map.entry("gather", () -> ring().gather(data, data, 0)),
            Map.entry("scatter", () -> ring().scatter(data, data, 0)),
            Map.entry("allToAll", () -> ring().allToAll(data, other)),
            Map.entry("sumScatter", () -> ring().sumScatter(data, other, Dtype.INT32)),
            Map.entry("barrier", () -> ring().barrier()));
    refused.forEach(
        (name, call) ->
            assertThatThrownBy(call)
                .isInstanceOf(UnsupportedOnWireException.class)
                .hasMessageContaining(name + " on rank 0"));
  }

  @Test
  void shouldRefuseRanksThatAreNoNeighbours() {
    MemorySegment data = ring().allocate(4);
    assertThatThrownBy(() -> ring().send(data, 2))
        .isInstanceOf(InvalidPeerException.class)
        .hasMessageContaining("send on rank 0")
        .hasMessageContaining("rank 3 (")
        .hasMessageContaining("rank 1 (")
        .hasMessageContaining("to rank 2");
    assertThatThrownBy(() -> ring().recv(data, 2))
        .isInstanceOf(InvalidPeerException.class)
        .hasMessageContaining("from rank 2");
    for (int peer : new int[] {-1, 0, 4}) {
      assertThatThrownBy(() -> ring().send(data, peer))
          .isInstanceOf(InvalidPeerException.class)
          .hasMessageContaining("peer is " + peer + ", want another rank of 0 to 3");
    }
  }

  @Test
  void shouldRefuseBuffersThatItCannotUse() {
    MemorySegment eight = ring().allocate(8);
    MemorySegment twelve = ring().allocate(12);
    Map<String, ThrowingCallable> refused =
        Map.ofEntries(
            Map.entry(
                "output has 12 bytes, want 8", () -> ring().allSum(eight, twelve, Dtype.INT32)),
            Map.entry(
                "not a whole number of INT64", () -> ring().allMax(twelve, twelve, Dtype.INT64)),
            Map.entry(
                "overlap",
                () -> ring().allMin(twelve.asSlice(0, 8), twelve.asSlice(4, 8), Dtype.INT32)),
            Map.entry("want 32", () -> ring().allGather(eight, twelve)),
            Map.entry("on the heap", () -> ring().send(MemorySegment.ofArray(new byte[4]), 1)),
            Map.entry("output is read-only", () -> ring().recv(eight.asReadOnly(), 1)),
            Map.entry("got -1 bytes", () -> ring().allocate(-1)));
    refused.forEach(
        (text, call) ->
            assertThatThrownBy(call)
                .isInstanceOf(InvalidBufferException.class)
                .hasMessageContaining("on rank 0")
                .hasMessageContaining(text));
    try (Arena confined = Arena.ofConfined()) {
      MemorySegment own = confined.allocate(8);
      assertThatThrownBy(() -> ring().send(own, 1))
          .isInstanceOf(InvalidBufferException.class)
          .hasMessageContaining("jaccl-ring-0");
    }
    MemorySegment closed;
    try (Arena shared = Arena.ofShared()) {
      closed = shared.allocate(8);
    }
    assertThatThrownBy(() -> ring().send(closed, 1))
        .isInstanceOf(InvalidBufferException.class)
        .hasMessageContaining("its arena was closed");
  }

  @Test
  void shouldRefuseTheSameOnItsOwnThread() {
    Boolean refused =
        LocalRanks.get(
            ring()
                .<Boolean>run(
                    session -> {
                      assertThatThrownBy(() -> session.send(session.allocate(4), 2))
                          .isInstanceOf(InvalidPeerException.class);
                      assertThatThrownBy(session::barrier)
                          .isInstanceOf(UnsupportedOnWireException.class);
                      // The ring itself works there as well, instead of waiting for itself.
                      assertThatThrownBy(() -> ring().barrier())
                          .isInstanceOf(UnsupportedOnWireException.class);
                      return true;
                    })
                .toCompletableFuture());
    assertThat(refused).isTrue();
  }

  /** MLX's buffer for few elements has 1024 bytes: 128 ranks of 8 bytes, not 129. */
  @Test
  void shouldRefuseFewerElementsThanRanksIfMlxDoes() {
    MemorySegment one = ring().allocate(8);
    assertThatThrownBy(() -> reductionOver(129).check("allSum", one, one, Dtype.FLOAT64))
        .isInstanceOf(InvalidBufferException.class)
        .hasMessageContaining("cannot reduce 1 elements of FLOAT64 over 129 ranks");
    MemorySegment four = ring().allocate(4);
    reductionOver(129).check("allSum", four, four, Dtype.FLOAT32);
    reductionOver(128).check("allSum", one, one, Dtype.INT64);
  }

  private static PaddedReduction reductionOver(int size) {
    return new PaddedReduction(
        new BufferChecks(Thread.currentThread(), "the ring's allocate", 0, size), 0, size);
  }
}
