package io.jaccl4j.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.jaccl4j.Dtype;
import io.jaccl4j.Session;
import io.jaccl4j.testing.GuardedBuffers;
import io.jaccl4j.testing.LocalRanks;
import io.jaccl4j.testing.Workload;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every operation of a ring, in place and not, on the ring's thread and from others. */
@Timeout(120)
class RingOperationsTest {
  private static final RingOptions OPTIONS =
      RingOptions.of(Duration.ofSeconds(20), Duration.ofSeconds(60)).withExtensions(true);

  @ParameterizedTest
  @CsvSource({"1, 1", "2, 1", "2, 3", "3, 2", "4, 1", "5, 2", "8, 1"})
  void shouldDoEveryOperation(int size, int connections) {
    try (RingRanks ranks = RingRanks.form(size, connections, OPTIONS)) {
      for (Workload workload : Workload.values()) {
        if (size == 1 && workload == Workload.PASS_AROUND) {
          continue;
        }
        for (boolean inPlace : new boolean[] {false, true}) {
          ranks.runOnAll(ring -> assertRight(workload, ring, inPlace, false));
          ranks.runOnAll(
              ring ->
                  LocalRanks.get(
                      ring.run(
                              session -> {
                                assertRight(workload, session, inPlace, true);
                                return session.rank();
                              })
                          .toCompletableFuture()));
        }
      }
    }
  }

  private static void assertRight(
      Workload workload, Session session, boolean inPlace, boolean allocated) {
    try (Arena arena = Arena.ofShared()) {
      GuardedBuffers buffers = new GuardedBuffers(session, arena, allocated);
      assertThat(workload.isRight(session, arena, buffers, inPlace))
          .as("%s on rank %d", workload, session.rank())
          .isTrue();
      assertThat(buffers.areIntact()).as("%s: guard bytes", workload).isTrue();
    }
  }

  /** Sizes across all thresholds, ranks that come late to each operation. */
  @Test
  void shouldNotHangOnSizesAndDelaysOfAnyKind() {
    long seed = new Random().nextLong();
    System.out.println("seed " + seed);
    int size = 4;
    int rounds = 2000;
    int[] counts = new Random(seed).ints(rounds, 1, 500_000).toArray();
    try (RingRanks ranks = RingRanks.form(size, 2, OPTIONS)) {
      ranks.runOnAll(
          ring -> {
            Random delays = new Random(seed + ring.rank());
            MemorySegment data = ring.allocate(4L * 500_000);
            for (int count : counts) {
              MemorySegment part = data.asSlice(0, 4L * count);
              part.set(ValueLayout.JAVA_INT, 0, ring.rank() + 1);
              part.set(ValueLayout.JAVA_INT, 4L * count - 4, ring.rank() + 1);
              // The delays are what is tested.
              LockSupport.parkNanos(delays.nextInt(2_000_000));
              ring.allSum(part, part, Dtype.INT32);
              assertThat(part.get(ValueLayout.JAVA_INT, 0)).as("seed %d", seed).isEqualTo(10);
              assertThat(part.get(ValueLayout.JAVA_INT, 4L * count - 4))
                  .as("seed %d", seed)
                  .isEqualTo(10);
            }
          });
    }
  }

  @Test
  void shouldRunWhatSeveralThreadsSubmitInTheirOrder() {
    try (RingRanks ranks = RingRanks.form(2, 1, OPTIONS)) {
      int messages = 200;
      List<CompletableFuture<Void>> sends =
          IntStream.range(0, 4)
              .mapToObj(
                  thread ->
                      CompletableFuture.runAsync(
                          () -> {
                            for (int i = 0; i < messages; i++) {
                              MemorySegment data = ranks.ring(0).allocate(8);
                              data.set(ValueLayout.JAVA_INT, 0, thread);
                              data.set(ValueLayout.JAVA_INT, 4, i);
                              ranks.ring(0).send(data, 1);
                            }
                          }))
              .toList();
      int[] next = new int[4];
      MemorySegment data = ranks.ring(1).allocate(8);
      for (int i = 0; i < 4 * messages; i++) {
        ranks.ring(1).recv(data, 0);
        int thread = data.get(ValueLayout.JAVA_INT, 0);
        assertThat(data.get(ValueLayout.JAVA_INT, 4)).isEqualTo(next[thread]++);
      }
      sends.forEach(LocalRanks::get);
      assertThat(next).containsOnly(messages);
    }
  }
}
