package io.jaccl4j.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jaccl4j.Dtype;
import io.jaccl4j.Group;
import io.jaccl4j.GroupHealth;
import io.jaccl4j.InvalidBufferException;
import io.jaccl4j.InvalidPeerException;
import io.jaccl4j.testing.LocalRanks;
import io.jaccl4j.testing.TestSettings;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What is refused before anything is sent, and that the group works on afterwards. */
class ArgumentChecksTest {
  private static LocalRanks ranks;
  private static Arena arena;
  private static Group group;

  @BeforeAll
  static void form() {
    ranks = LocalRanks.form(TestSettings.of("checks", 2));
    arena = Arena.ofShared();
    group = ranks.group(0);
  }

  @AfterAll
  static void close() {
    ranks.close();
    arena.close();
  }

  @AfterEach
  void shouldStillWork() {
    ranks.runOnAll(session -> session.barrier());
    assertThat(group.health()).isEqualTo(GroupHealth.READY);
  }

  private static MemorySegment bytes(long count) {
    return arena.allocate(count, 8);
  }

  @Test
  void shouldRefuseOutputOfAnotherLength() {
    assertThatThrownBy(() -> group.allSum(bytes(8), bytes(16), Dtype.FLOAT32))
        .isInstanceOf(InvalidBufferException.class)
        .hasMessage("allSum on rank 0: output has 16 bytes, want 8");
    assertThatThrownBy(() -> group.allGather(bytes(8), bytes(8)))
        .hasMessage("allGather on rank 0: output has 8 bytes, want 16");
    assertThatThrownBy(() -> group.sumScatter(bytes(8), bytes(8), Dtype.INT32))
        .hasMessage("sumScatter on rank 0: input has 8 bytes, want 16");
  }

  @Test
  void shouldRefusePartialElements() {
    assertThatThrownBy(() -> group.allMax(bytes(7), bytes(7), Dtype.INT32))
        .isInstanceOf(InvalidBufferException.class)
        .hasMessageContaining("7 bytes are not a whole number of INT32");
  }

  @Test
  void shouldRefuseReadOnlyOutput() {
    assertThatThrownBy(() -> group.allSum(bytes(8), bytes(8).asReadOnly(), Dtype.FLOAT32))
        .isInstanceOf(InvalidBufferException.class)
        .hasMessageContaining("output is read-only");
    assertThatThrownBy(() -> group.recv(bytes(8).asReadOnly(), 1))
        .hasMessageContaining("output is read-only");
  }

  @Test
  void shouldRefuseHeapMemory() {
    MemorySegment heap = MemorySegment.ofArray(new byte[8]);
    assertThatThrownBy(() -> group.allSum(heap, bytes(8), Dtype.FLOAT32))
        .isInstanceOf(InvalidBufferException.class)
        .hasMessageContaining("input is on the heap");
    assertThatThrownBy(() -> group.send(heap, 1)).hasMessageContaining("input is on the heap");
  }

  @Test
  void shouldRefusePartialOverlap() {
    MemorySegment both = bytes(24);
    assertThatThrownBy(() -> group.allSum(both.asSlice(0, 16), both.asSlice(8, 16), Dtype.FLOAT32))
        .isInstanceOf(InvalidBufferException.class)
        .hasMessageContaining("overlap in part");
    assertThatThrownBy(() -> group.allGather(both.asSlice(8, 8), both.asSlice(0, 16)))
        .as("rank 1's block is not this rank's own")
        .hasMessageContaining("overlap in part");
  }

  @Test
  void shouldRefuseConfinedAndClosedMemory() {
    try (Arena confined = Arena.ofConfined()) {
      assertThatThrownBy(() -> group.allSum(confined.allocate(8), bytes(8), Dtype.FLOAT32))
          .isInstanceOf(InvalidBufferException.class)
          .hasMessageContaining("confined to another thread than jaccl-checks-0");
    }
    Arena shared = Arena.ofShared();
    MemorySegment closed = shared.allocate(8);
    shared.close();
    assertThatThrownBy(() -> group.allSum(closed, bytes(8), Dtype.FLOAT32))
        .isInstanceOf(InvalidBufferException.class)
        .hasMessageContaining("its arena was closed");
  }

  @Test
  void shouldRefusePeersThatAreNone() {
    for (int peer : new int[] {-1, 0, 2}) {
      assertThatThrownBy(() -> group.send(bytes(8), peer))
          .isInstanceOf(InvalidPeerException.class)
          .hasMessage("send on rank 0: peer is %d, want another rank of 0 to 1", peer);
      assertThatThrownBy(() -> group.recv(bytes(8), peer)).isInstanceOf(InvalidPeerException.class);
    }
  }

  @Test
  void shouldCompleteTheStageInsteadOfThrowingWhenAsynchronous() {
    CompletableFuture<Void> stage =
        group.allSumAsync(bytes(8), bytes(16), Dtype.FLOAT32).toCompletableFuture();
    assertThat(stage).isCompletedExceptionally();
    assertThatThrownBy(() -> LocalRanks.get(stage)).isInstanceOf(InvalidBufferException.class);
  }

  @Test
  void shouldRefuseInSessionsToo() {
    assertThatThrownBy(
            () ->
                LocalRanks.get(
                    group
                        .run(
                            session -> {
                              session.allSum(bytes(8), bytes(16), Dtype.FLOAT32);
                              return 0;
                            })
                        .toCompletableFuture()))
        .isInstanceOf(InvalidBufferException.class);
  }

  @Test
  void shouldRefuseMoreThanTheRegisteredMemory() {
    assertThatThrownBy(() -> group.allocate(1L << 40))
        .isInstanceOf(InvalidBufferException.class)
        .hasMessageContaining("jaccl4j.memory.registered-bytes");
  }
}
