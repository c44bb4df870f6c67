package io.jaccl4j.javadoc;

import static org.assertj.core.api.Assertions.assertThat;

import io.jaccl4j.Dtype;
import io.jaccl4j.Group;
import io.jaccl4j.PeerLostException;
import io.jaccl4j.testkit.JacclTest;
import io.jaccl4j.testkit.TestGroup;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** For {@link JacclTest}, {@link TestGroup} and {@code NodeSpec}. Run by JavadocExamplesTest. */
class JacclTestExample {

  // @start region="worker-dies"
  @JacclTest(ranks = 4)
  void shouldStopAtTheLastCheckpointWhenAWorkerDies(TestGroup ranks) {
    ranks.killInOperation(3, 7); // rank 3, in its seventh operation
    int[] checkpoint = new int[4];
    List<Throwable> failures =
        ranks.failures(
            group -> {
              for (int step = 1; ; step++) {
                sum(group, step);
                checkpoint[group.rank()] = step;
              }
            });
    assertThat(failures).hasOnlyElementsOfType(PeerLostException.class);
    assertThat(checkpoint).containsExactly(6, 6, 6, 6);
  }

  // @end

  // @start region="deadline"
  @JacclTest(ranks = 2)
  void shouldNameTheRankThatHangsWithoutWaitingForTheDeadline(TestGroup ranks) {
    ranks.freeze(1);
    CompletableFuture<Void> barrier = ranks.rank(0).barrierAsync().toCompletableFuture();
    ranks.rank(1).barrierAsync();
    ranks.advance(Duration.ofHours(1));
    assertThat(barrier)
        .failsWithin(Duration.ofSeconds(20))
        .withThrowableThat()
        .withMessageContaining("rank 1");
  }

  // @end

  private static int sum(Group group, int value) {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment data = arena.allocateFrom(ValueLayout.JAVA_INT, value);
      group.allSum(data, data, Dtype.INT32);
      return data.get(ValueLayout.JAVA_INT, 0);
    }
  }
}
