package io.jaccl4j.testkit;

import io.jaccl4j.Group;
import io.jaccl4j.GroupEvent;
import io.jaccl4j.GroupSettings;
import io.jaccl4j.testing.LocalRanks;
import io.jaccl4j.testing.ShiftedClock;
import io.jaccl4j.testing.emulated.EmulatedRanks;
import io.jaccl4j.testing.emulated.NetworkScript;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * All ranks of one group in this JVM, linked by an emulated network, with switches for what goes
 * wrong. May be used from any thread.
 *
 * {@snippet file="io/jaccl4j/javadoc/JacclTestExample.java" region="deadline"}
 */
public final class TestGroup {
  private static final long PATIENCE_SECONDS = 60;

  private final EmulatedRanks ranks;
  private final ShiftedClock clock;
  private final List<Group> groups = new ArrayList<>();
  private final List<OperationCount> counts = new ArrayList<>();

  private TestGroup(EmulatedRanks ranks, ShiftedClock clock) {
    this.ranks = ranks;
    this.clock = clock;
    for (LocalRanks.Rank rank : ranks.ranks().all()) {
      OperationCount count = new OperationCount(() -> die(rank.group().rank()));
      counts.add(count);
      groups.add(count.counting(rank.group()));
    }
  }

  static TestGroup form(JacclTest test) {
    GroupSettings settings =
        EmulatedRanks.settings(test.ranks()).withTopology(test.topology()).withWire(test.wire());
    NetworkScript script =
        test.unrulySeed() == 0
            ? NetworkScript.faultless()
            : NetworkScript.unruly(test.unrulySeed());
    ShiftedClock clock = new ShiftedClock();
    return new TestGroup(EmulatedRanks.form(settings, script, clock), clock);
  }

  /** {@return the number of ranks} */
  public int size() {
    return groups.size();
  }

  /**
   * {@return one rank's group, as the application under test gets it}
   *
   * @param rank whose
   */
  public Group rank(int rank) {
    return groups.get(rank);
  }

  /**
   * {@return what a rank was told of so far, as a listener of its group would be}
   *
   * @param rank which
   */
  public List<GroupEvent> events(int rank) {
    return List.copyOf(ranks.ranks().rank(rank).events());
  }

  /**
   * Runs the program on every rank at once, each on a thread of its own, and returns the results in
   * rank order. The first rank's failure is thrown, if any.
   *
   * @param <T> type of the results
   * @param program gets the rank's group
   * @return the results in rank order
   */
  public <T> List<T> onAll(Function<Group, T> program) {
    List<T> results = new ArrayList<>();
    for (CompletableFuture<T> result : start(program)) {
      results.add(LocalRanks.get(result));
    }
    return results;
  }

  /**
   * Runs the program on every rank at once, each on a thread of its own, and returns what each
   * failed with, or null, in rank order.
   *
   * @param program gets the rank's group
   * @return the failures in rank order
   */
  public List<Throwable> failures(Consumer<Group> program) {
    List<CompletableFuture<Integer>> results =
        start(
            group -> {
              program.accept(group);
              return group.rank();
            });
    List<Throwable> failures = new ArrayList<>();
    for (CompletableFuture<Integer> result : results) {
      failures.add(failureOf(result));
    }
    return failures;
  }

  private <T> List<CompletableFuture<T>> start(Function<Group, T> program) {
    return groups.stream()
        .map(
            group ->
                CompletableFuture.supplyAsync(
                    () -> program.apply(group),
                    task ->
                        Thread.ofPlatform()
                            .daemon()
                            .name("program-of-rank-" + group.rank())
                            .start(task)))
        .toList();
  }

  private static Throwable failureOf(CompletableFuture<?> result) {
    try {
      result.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      return null;
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      return cause instanceof CompletionException && cause.getCause() != null
          ? cause.getCause()
          : cause;
    } catch (InterruptedException | TimeoutException e) {
      throw new AssertionError("a rank is not done in " + PATIENCE_SECONDS + " s", e);
    }
  }

  /**
   * A rank's process is gone, from now on. The others are told, as the cluster tells them of a
   * member that was downed.
   *
   * @param rank which
   */
  public void kill(int rank) {
    ranks.kill(rank);
  }

  /**
   * A rank's process will be gone when it calls its operation number {@code operation}, counted
   * from 1, on the {@link Group} that it has from here; operations inside of {@code run} do not
   * count. Every other rank completes as many operations as the rank did before.
   *
   * @param rank which
   * @param operation number of the operation, from 1
   */
  public void killInOperation(int rank, int operation) {
    counts.get(rank).dieAt(operation);
  }

  /**
   * What a rank's links carry waits until {@link #thaw}: the picture of a stopped process.
   *
   * @param rank which
   */
  public void freeze(int rank) {
    ranks.network().freeze(rank);
  }

  /**
   * Undoes {@link #freeze}.
   *
   * @param rank which
   */
  public void thaw(int rank) {
    ranks.network().thaw(rank);
  }

  /**
   * The link between two ranks carries nothing any more, and nobody is told.
   *
   * @param rank the one
   * @param peer the other
   */
  public void cut(int rank, int peer) {
    ranks.network().cut(ranks.network().wireBetween(rank, peer));
  }

  /**
   * Time passes, for deadlines and warnings of all ranks.
   *
   * @param duration how much, positive
   */
  public void advance(Duration duration) {
    clock.forward(duration);
  }

  /** On the thread of the dying rank's operation. */
  private void die(int rank) {
    long before = ranks.ranks().group(rank).counters().operations();
    long untilNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    for (int other = 0; other < size(); other++) {
      while (ranks.ranks().group(other).counters().operations() < before
          && ranks.ranks().group(other).failure().isEmpty()
          && System.nanoTime() - untilNanos < 0) {
        Thread.onSpinWait();
      }
    }
    ranks.kill(rank);
  }

  void close() {
    ranks.close();
  }
}
