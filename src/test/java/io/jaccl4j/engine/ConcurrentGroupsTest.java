package io.jaccl4j.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.jaccl4j.Dtype;
import io.jaccl4j.Group;
import io.jaccl4j.Topology;
import io.jaccl4j.testing.LocalRanks;
import io.jaccl4j.testing.TestSettings;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Several groups in one process, each used by several threads of every rank at once. */
class ConcurrentGroupsTest {
  private static final long SEED = 20_261_130;
  private static final int SIZE = 3;
  private static final int THREADS = 4;
  private static final int OPERATIONS = 60;
  private static final long PATIENCE_SECONDS = 60;

  private enum Kind {
    ALL_SUM,
    ALL_MAX,
    ALL_MIN,
    ALL_GATHER,
    SUM_SCATTER,
    BROADCAST,
    BARRIER
  }

  /** The same on every rank of one group. */
  private record Step(Kind kind, int count, int number) {
    /** Rank {@code rank}'s element {@code i}. */
    int value(int rank, int i) {
      return (rank + 1) * 1009 * (number + 1) - i * (rank % 2 == 0 ? 3 : -5);
    }

    int outCount() {
      return switch (kind) {
        case ALL_GATHER -> SIZE * count;
        case SUM_SCATTER -> count / SIZE;
        default -> count;
      };
    }

    int expected(int rank, int i) {
      IntStream ranks = IntStream.range(0, SIZE);
      return switch (kind) {
        case ALL_SUM -> ranks.map(r -> value(r, i)).sum();
        case ALL_MAX -> ranks.map(r -> value(r, i)).max().orElseThrow();
        case ALL_MIN -> ranks.map(r -> value(r, i)).min().orElseThrow();
        case ALL_GATHER -> value(i / count, i % count);
        case SUM_SCATTER -> ranks.map(r -> value(r, rank * (count / SIZE) + i)).sum();
        case BROADCAST -> value(number % SIZE, i);
        case BARRIER -> 0;
      };
    }
  }

  @Test
  void shouldKeepResultsApartWhenThreadsAndGroupsMix() {
    try (LocalRanks mesh = form("first", Topology.MESH);
        LocalRanks ring = form("second", Topology.RING);
        LocalRanks other = form("third", Topology.MESH)) {
      List<CompletableFuture<Void>> callers = new ArrayList<>();
      long seed = SEED;
      for (LocalRanks ranks : List.of(mesh, ring, other)) {
        List<Step> steps = steps(seed++);
        for (LocalRanks.Rank rank : ranks.all()) {
          callers.addAll(startCallers(rank.group(), steps));
        }
      }
      callers.forEach(LocalRanks::get);
    }
  }

  private static LocalRanks form(String name, Topology topology) {
    return LocalRanks.form(TestSettings.of(name, SIZE).withTopology(topology));
  }

  private static List<Step> steps(long seed) {
    Random random = new Random(seed);
    List<Step> steps = new ArrayList<>();
    for (int i = 0; i < OPERATIONS; i++) {
      Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
      steps.add(new Step(kind, SIZE * random.nextInt(1 + 20_000), i));
    }
    return steps;
  }

  /** Threads take turns in submitting, as ranks must agree on the order, and check in any order. */
  private static List<CompletableFuture<Void>> startCallers(Group group, List<Step> steps) {
    List<CountDownLatch> turns = new ArrayList<>();
    for (int i = 0; i <= steps.size(); i++) {
      turns.add(new CountDownLatch(i == 0 ? 0 : 1));
    }
    return IntStream.range(0, THREADS)
        .mapToObj(
            thread ->
                CompletableFuture.runAsync(
                    () -> call(group, steps, turns, thread),
                    task -> Thread.ofPlatform().daemon().start(task)))
        .toList();
  }

  private static void call(Group group, List<Step> steps, List<CountDownLatch> turns, int thread) {
    List<Runnable> checks = new ArrayList<>();
    try (Arena arena = Arena.ofShared()) {
      for (int i = thread; i < steps.size(); i += THREADS) {
        await(turns.get(i));
        checks.add(submit(group, steps.get(i), arena));
        turns.get(i + 1).countDown();
      }
      checks.forEach(Runnable::run);
    }
  }

  private static Runnable submit(Group group, Step step, Arena arena) {
    MemorySegment in = arena.allocate(ValueLayout.JAVA_INT, step.count());
    MemorySegment out = arena.allocate(ValueLayout.JAVA_INT, step.outCount());
    for (int i = 0; i < step.count(); i++) {
      in.setAtIndex(ValueLayout.JAVA_INT, i, step.value(group.rank(), i));
    }
    CompletionStage<Void> done =
        switch (step.kind()) {
          case ALL_SUM -> group.allSumAsync(in, out, Dtype.INT32);
          case ALL_MAX -> group.allMaxAsync(in, out, Dtype.INT32);
          case ALL_MIN -> group.allMinAsync(in, out, Dtype.INT32);
          case ALL_GATHER -> group.allGatherAsync(in, out);
          case SUM_SCATTER -> group.sumScatterAsync(in, out, Dtype.INT32);
          case BROADCAST -> group.broadcastAsync(in, step.number() % SIZE);
          case BARRIER -> group.barrierAsync();
        };
    MemorySegment result = step.kind() == Kind.BROADCAST ? in : out;
    return () -> {
      LocalRanks.get(done.toCompletableFuture());
      for (int i = 0; i < step.outCount(); i++) {
        assertThat(result.getAtIndex(ValueLayout.JAVA_INT, i))
            .as("seed %d, %s, rank %d, element %d", SEED, step, group.rank(), i)
            .isEqualTo(step.expected(group.rank(), i));
      }
    };
  }

  private static void await(CountDownLatch turn) {
    try {
      if (!turn.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        throw new TimeoutException("no turn in " + PATIENCE_SECONDS + " s");
      }
    } catch (InterruptedException | TimeoutException e) {
      throw new AssertionError(e);
    }
  }
}
