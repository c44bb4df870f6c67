package io.jaccl4j.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.jaccl4j.Dtype;
import io.jaccl4j.Group;
import io.jaccl4j.GroupEvent;
import io.jaccl4j.GroupFailedException;
import io.jaccl4j.OperationTimeoutException;
import io.jaccl4j.PeerLostException;
import io.jaccl4j.Session;
import io.jaccl4j.Topology;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The kit as an application's tests use it. */
class JacclTestTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @JacclTest(ranks = 4)
  void shouldRunAProgramOnEveryRank(TestGroup ranks) {
    assertThat(ranks.size()).isEqualTo(4);
    assertThat(ranks.onAll(group -> sum(group, group.rank()))).containsExactly(6, 6, 6, 6);
  }

  @JacclTest(ranks = 3, topology = Topology.RING, unrulySeed = 20_261_130)
  void shouldGiveTheSameResultsOverAnUnrulyNetwork(TestGroup ranks) {
    assertThat(ranks.onAll(group -> sum(group, 1 << group.rank()))).containsExactly(7, 7, 7);
  }

  @JacclTest(ranks = 3)
  void shouldLetARankDieInItsThirdOperation(TestGroup ranks) {
    ranks.killInOperation(2, 3);
    int[] completed = new int[3];
    List<Throwable> failures =
        ranks.failures(
            group -> {
              for (int i = 0; i < 10; i++) {
                sum(group, 1);
                completed[group.rank()]++;
              }
            });
    assertThat(failures)
        .allSatisfy(
            failure ->
                assertThat(failure)
                    .isInstanceOfSatisfying(
                        PeerLostException.class, e -> assertThat(e.rank()).isEqualTo(2)));
    assertThat(completed).containsExactly(2, 2, 2);
  }

  @JacclTest(ranks = 2)
  void shouldCountAsynchronousOperations(TestGroup ranks) {
    ranks.killInOperation(1, 2);
    List<Throwable> failures =
        ranks.failures(
            group -> {
              group.barrierAsync().toCompletableFuture().join();
              group.barrierAsync().toCompletableFuture().join();
            });
    assertThat(failures).hasOnlyElementsOfType(PeerLostException.class);
    assertThatThrownBy(() -> ranks.killInOperation(1, 2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the next is 3");
  }

  @JacclTest(ranks = 2)
  void shouldFailAtTheDeadlineWhenALinkIsCutWithoutWaitingForIt(TestGroup ranks) {
    ranks.cut(0, 1);
    List<CompletableFuture<Void>> pending = startBarriers(ranks);
    ranks.advance(Duration.ofHours(1));
    for (CompletableFuture<Void> barrier : pending) {
      assertThat(barrier)
          .failsWithin(PATIENCE)
          .withThrowableThat()
          .havingRootCause()
          .isInstanceOf(GroupFailedException.class);
    }
    assertThat(ranks.rank(0).failure().orElseThrow().toException("barrier"))
        .isInstanceOf(OperationTimeoutException.class);
  }

  @JacclTest(ranks = 2)
  void shouldGoOnWhenAFrozenRankThaws(TestGroup ranks) {
    ranks.freeze(1);
    List<CompletableFuture<Void>> pending = startBarriers(ranks);
    await("rank 0 finds rank 1 slow")
        .atMost(PATIENCE)
        .until(
            () -> {
              ranks.advance(Duration.ofMillis(100));
              return ranks.events(0).stream().anyMatch(GroupEvent.SlowPeer.class::isInstance);
            });
    assertThat(pending).noneMatch(CompletableFuture::isDone);
    ranks.thaw(1);
    for (CompletableFuture<Void> barrier : pending) {
      assertThat(barrier).succeedsWithin(PATIENCE);
    }
  }

  @JacclTest(ranks = 2)
  void shouldRefuseToCutWhereNoLinkIs(TestGroup ranks) {
    assertThatThrownBy(() -> ranks.cut(0, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no wire");
  }

  /** Or {@code killInOperation} would never see it. */
  @Test
  void shouldCountEveryOperationOfASession() {
    List<String> others =
        List.of("rank", "size", "epoch", "allocate", "settings", "isOnEngineThread");
    Stream<String> names =
        Arrays.stream(Session.class.getDeclaredMethods())
            .filter(method -> !method.isSynthetic())
            .map(method -> method.getName())
            .distinct();
    assertThat(names.filter(name -> !others.contains(name)))
        .allMatch(OperationCount::isOperation)
        .isNotEmpty();
  }

  private static List<CompletableFuture<Void>> startBarriers(TestGroup ranks) {
    return Stream.of(ranks.rank(0), ranks.rank(1))
        .map(group -> group.barrierAsync().toCompletableFuture())
        .toList();
  }

  private static int sum(Group group, int value) {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment data = arena.allocateFrom(ValueLayout.JAVA_INT, value);
      group.allSum(data, data, Dtype.INT32);
      return data.get(ValueLayout.JAVA_INT, 0);
    }
  }
}
