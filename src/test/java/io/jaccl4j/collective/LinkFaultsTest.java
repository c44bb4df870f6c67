package io.jaccl4j.collective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.jaccl4j.Dtype;
import io.jaccl4j.GroupFailedException;
import io.jaccl4j.GroupFailure;
import io.jaccl4j.OperationTimeoutException;
import io.jaccl4j.PeerLostException;
import io.jaccl4j.testing.GuardedBuffers;
import io.jaccl4j.testing.LocalRanks;
import io.jaccl4j.testing.ShiftedClock;
import io.jaccl4j.testing.Workload;
import io.jaccl4j.testing.emulated.EmulatedRanks;
import io.jaccl4j.testing.emulated.NetworkScript;
import io.jaccl4j.testing.emulated.PostFault;
import io.jaccl4j.testing.emulated.WorkKind;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Posts that are refused, wires that are cut, ranks that freeze or die. */
@ParameterizedClass(name = "{0}")
@EnumSource(EmulatedShape.class)
class LinkFaultsTest {
  private static final int SIZE = 3;
  private static final int VICTIM = 1;
  private static final int WIRE_0_1 = 0;
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration TIMEOUT = Duration.ofMinutes(5);

  private final EmulatedShape shape;

  LinkFaultsTest(EmulatedShape shape) {
    this.shape = shape;
  }

  private Set<Long> posts(Workload workload) {
    try (EmulatedRanks ranks = shape.form(shape.fewestRanks(), NetworkScript.faultless());
        Arena arena = Arena.ofShared()) {
      ranks.runOnAll(
          session ->
              workload.isRight(session, arena, new GuardedBuffers(session, arena, false), false));
      long count = 0;
      for (WorkKind kind : WorkKind.values()) {
        count += ranks.network().log().posts(VICTIM, kind);
      }
      return Set.copyOf(List.of(0L, count / 2, count - 1));
    }
  }

  private static List<RuntimeException> failures(
      EmulatedRanks ranks, Workload workload, Arena arena) {
    return ranks.failuresOnAll(
        session -> {
          workload.isRight(session, arena, new GuardedBuffers(session, arena, false), false);
          session.barrier();
        });
  }

  @ParameterizedTest
  @EnumSource(Workload.class)
  void shouldFailOnAllRanksWhenAPostIsRefused(Workload workload) {
    for (long post : posts(workload)) {
      NetworkScript script =
          NetworkScript.seeded(33).delays(10).atPost(VICTIM, post, PostFault.REFUSE);
      try (EmulatedRanks ranks = shape.form(shape.fewestRanks(), script);
          Arena arena = Arena.ofShared()) {
        assertThat(failures(ranks, workload, arena))
            .as("%s, %s", workload, script)
            .hasSize(shape.fewestRanks())
            .allSatisfy(
                e ->
                    assertThat(e)
                        .isExactlyInstanceOf(GroupFailedException.class)
                        .hasMessageContaining("on rank 1: post " + post + " of rank 1 (")
                        .hasMessageContaining("was refused"));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Workload.class)
  void shouldNameTheRankThatDied(Workload workload) {
    for (long post : posts(workload)) {
      NetworkScript script =
          NetworkScript.seeded(33).delays(10).atPost(VICTIM, post, PostFault.DIE);
      try (EmulatedRanks ranks = shape.form(shape.fewestRanks(), script);
          Arena arena = Arena.ofShared()) {
        List<RuntimeException> failures = failures(ranks, workload, arena);
        for (int survivor = 0; survivor < shape.fewestRanks(); survivor++) {
          if (survivor == VICTIM) {
            continue;
          }
          assertThat(failures.get(survivor))
              .as("rank %d, %s, %s", survivor, workload, script)
              .isInstanceOfSatisfying(
                  PeerLostException.class, e -> assertThat(e.rank()).isEqualTo(VICTIM));
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 5, 9})
  void shouldTimeOutWhenARankFreezesInTheMiddle(long post) {
    NetworkScript script = NetworkScript.seeded(1).atPost(VICTIM, post, PostFault.FREEZE);
    ShiftedClock clock = new ShiftedClock();
    try (Arena arena = Arena.ofShared();
        EmulatedRanks ranks = form(script, clock)) {
      List<CompletableFuture<Void>> sums =
          ranks.ranks().all().stream()
              .map(
                  rank ->
                      rank.group()
                          .allSumAsync(
                              arena.allocate(200_000), arena.allocate(200_000), Dtype.FLOAT32)
                          .toCompletableFuture())
              .toList();
      await().atMost(PATIENCE).until(() -> ranks.network().isStopped(VICTIM));
      clock.forward(TIMEOUT);
      for (int survivor : new int[] {0, 2}) {
        assertThatThrownBy(() -> LocalRanks.get(sums.get(survivor)))
            .isInstanceOf(OperationTimeoutException.class);
      }
    }
  }

  @Test
  void shouldTimeOutNamingTheRankBehindACutWire() {
    ShiftedClock clock = new ShiftedClock();
    try (EmulatedRanks ranks = form(NetworkScript.faultless(), clock)) {
      ranks.network().cut(WIRE_0_1);
      List<CompletableFuture<Void>> barriers = startBarriers(ranks);
      LocalRanks.get(barriers.get(2));
      clock.forward(TIMEOUT);
      for (int rank = 0; rank < 2; rank++) {
        CompletableFuture<Void> barrier = barriers.get(rank);
        assertThatThrownBy(() -> LocalRanks.get(barrier))
            .isInstanceOf(OperationTimeoutException.class)
            .hasMessageContaining("300000 ms after submission");
        GroupFailure failure = ranks.ranks().group(rank).failure().orElseThrow();
        assertThat(failure.rank()).as("the other end").isEqualTo(1 - failure.reportedBy());
        assertThat(failure.detail())
            .contains("for rank " + failure.rank() + " (test://host:900" + failure.rank() + ")")
            .as("how far the wire is")
            .contains("(wire 0: 1 sends posted, 0 complete; 1 receives posted, 0 delivered");
      }
    }
  }

  @Test
  void shouldTimeOutNamingAFrozenRank() {
    ShiftedClock clock = new ShiftedClock();
    try (EmulatedRanks ranks = form(NetworkScript.faultless(), clock)) {
      ranks.network().freeze(VICTIM);
      List<CompletableFuture<Void>> barriers = startBarriers(ranks);
      // Until the survivors have each other's message, they rightly wait for one another.
      await().atMost(PATIENCE).until(() -> haveEachOthersMessage(ranks, 0, 2));
      clock.forward(TIMEOUT);
      for (int survivor : new int[] {0, 2}) {
        CompletableFuture<Void> barrier = barriers.get(survivor);
        assertThatThrownBy(() -> LocalRanks.get(barrier))
            .isInstanceOf(OperationTimeoutException.class);
        assertThat(ranks.ranks().group(survivor).failure().orElseThrow().rank()).isEqualTo(VICTIM);
      }
    }
  }

  /** Whoever passes blocks on may be innocent: only who waits for a first message can name it. */
  @Test
  void shouldNotNameAnInnocentRankWhereBlocksArePassedOn() {
    int size = 8;
    ShiftedClock clock = new ShiftedClock();
    NetworkScript script = NetworkScript.faultless().preferringFewMessages();
    try (EmulatedRanks ranks =
        EmulatedRanks.form(
            EmulatedRanks.settings(size).withOperationTimeout(TIMEOUT), script, clock)) {
      ranks.network().freeze(VICTIM);
      List<CompletableFuture<Void>> barriers = startBarriers(ranks);
      await().atMost(PATIENCE).until(() -> haveFirstMessagesOfAllBut(ranks, VICTIM, size));
      clock.forward(TIMEOUT);
      for (int survivor : new int[] {0, 2, 3, 4, 5, 6, 7}) {
        assertThatThrownBy(() -> LocalRanks.get(barriers.get(survivor)))
            .isInstanceOf(OperationTimeoutException.class);
        GroupFailure failure = ranks.ranks().group(survivor).failure().orElseThrow();
        if (failure.rank() != VICTIM) {
          assertThat(failure.rank()).isEqualTo(-1);
          assertThat(failure.detail()).contains("passes on and may itself wait for");
        }
      }
    }
  }

  private static boolean haveFirstMessagesOfAllBut(EmulatedRanks ranks, int victim, int size) {
    return ranks.network().balances().stream()
        .filter(balance -> balance.sender() == (balance.receiver() + 1) % size)
        .filter(balance -> balance.sender() != victim && balance.receiver() != victim)
        .allMatch(balance -> balance.receivesCompleted() == 1);
  }

  private static boolean haveEachOthersMessage(EmulatedRanks ranks, int first, int second) {
    return ranks.network().balances().stream()
        .filter(
            balance -> Set.of(first, second).equals(Set.of(balance.sender(), balance.receiver())))
        .allMatch(balance -> balance.receivesCompleted() == 1);
  }

  @Test
  void shouldGoOnWhenAFrozenRankThaws() {
    ShiftedClock clock = new ShiftedClock();
    try (EmulatedRanks ranks = form(NetworkScript.unruly(34), clock)) {
      ranks.network().freeze(VICTIM);
      List<CompletableFuture<Void>> barriers = startBarriers(ranks);
      clock.forward(TIMEOUT.dividedBy(2));
      assertThat(barriers).noneMatch(CompletableFuture::isDone);
      ranks.network().thaw(VICTIM);
      barriers.forEach(LocalRanks::get);
      ranks.network().checkQuiet();
    }
  }

  private static EmulatedRanks form(NetworkScript script, ShiftedClock clock) {
    return EmulatedRanks.form(
        EmulatedRanks.settings(SIZE).withOperationTimeout(TIMEOUT), script, clock);
  }

  /** Submitted operations, whose deadline begins before a test sets the clock forward. */
  private static List<CompletableFuture<Void>> startBarriers(EmulatedRanks ranks) {
    return ranks.ranks().all().stream()
        .map(rank -> rank.group().barrierAsync().toCompletableFuture())
        .toList();
  }
}
