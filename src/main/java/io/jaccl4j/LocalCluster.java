package io.jaccl4j;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * All ranks of a group in this JVM, each on a thread of its own, linked by shared memory: for
 * tests, notebooks and first steps, with neither processes nor a cluster. Everything else is as
 * between machines, the deadlines of operations included.
 *
 * {@snippet file="io/jaccl4j/javadoc/LocalClusterExample.java" region="local-cluster"}
 *
 * <p><b>Failures.</b> The exception of the rank that failed first is thrown, with those of the
 * other ranks as suppressed ones. If the others do not return within a second of it, they wait for
 * that rank: it leaves the group then, so that they fail, too, and the cluster is of no more use.
 * Otherwise it is as good as before.
 *
 * <p>For any thread, save those of the ranks themselves. Two calls at once take their turns, on
 * every rank in the order in which they reach it, so make one at a time.
 */
public final class LocalCluster implements AutoCloseable {
  /** How long {@link #onAll(Function)} waits for functions: ten minutes. */
  public static final Duration DEFAULT_TIMEOUT = Duration.ofMinutes(10);

  /** Ranks that do not wait for the failed one return within this time. */
  private static final Duration SETTLE_TIME = Duration.ofSeconds(1);

  /** What closing a group takes at most, and what failing takes when a peer leaves. */
  private static final Duration CLOSE_TIME = Duration.ofSeconds(10);

  private final List<Group> groups;

  private LocalCluster(List<Group> groups) {
    this.groups = List.copyOf(groups);
  }

  /**
   * Starts ranks with the configured settings.
   *
   * @param size number of ranks, positive; more than there are processors work, but slowly
   * @return the ranks, to be closed by the caller
   * @throws FormationException if the group does not form
   */
  public static LocalCluster start(int size) {
    return start(size, UnaryOperator.identity());
  }

  /**
   * Starts ranks with other settings.
   *
   * @param size number of ranks, positive
   * @param adaptation changes the configured settings, such as {@code settings ->
   *     settings.withTopology(Topology.RING)}; not their fabric or size
   * @return the ranks, to be closed by the caller
   * @throws IllegalArgumentException if there are no such settings
   * @throws FormationException if the group does not form
   */
  public static LocalCluster start(int size, UnaryOperator<GroupSettings> adaptation) {
    if (size < 1) {
      throw new IllegalArgumentException("size is " + size + ", want 1 or more ranks");
    }
    return new LocalCluster(initializer().form(size, adaptation));
  }

  private static LocalGroupInitializer initializer() {
    return ServiceLoader.load(LocalGroupInitializer.class, LocalCluster.class.getClassLoader())
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "no "
                        + LocalGroupInitializer.class.getName()
                        + " on the class path; is the jar complete, its META-INF/services included?"));
  }

  /** {@return the number of ranks} */
  public int size() {
    return groups.size();
  }

  /**
   * {@return one rank's side of the group} A collective waits for the other ranks' calls, as ever.
   *
   * @param rank whose group
   */
  public Group group(int rank) {
    if (rank < 0 || rank >= size()) {
      throw new IllegalArgumentException(
          "rank is " + rank + ", want 0 to " + (size() - 1) + " in a group of " + size());
    }
    return groups.get(rank);
  }

  /**
   * {@link #onAll(Function)} for functions without a result.
   *
   * @param body runs on every engine thread
   */
  public void runOnAll(Consumer<Session> body) {
    onAll(
        session -> {
          body.accept(session);
          return session.rank();
        });
  }

  /**
   * {@link #onAll(Function, Duration)} within {@link #DEFAULT_TIMEOUT}.
   *
   * @param <T> type of the function's result
   * @param function runs on the engine thread
   * @return the results in rank order
   */
  public <T> List<T> onAll(Function<Session, T> function) {
    return onAll(function, DEFAULT_TIMEOUT);
  }

  /**
   * Runs a function on every rank at once, each on its engine thread.
   *
   * @param <T> type of the function's result
   * @param function runs on the engine thread
   * @param timeout until every rank has returned
   * @return the results in rank order; a null one is kept
   * @throws JacclException if a rank has not returned in time, or this thread is interrupted; the
   *     cluster is closed then
   */
  public <T> List<T> onAll(Function<Session, T> function, Duration timeout) {
    BlockingQueue<Outcome<T>> outcomes = new LinkedBlockingQueue<>();
    for (int rank = 0; rank < size(); rank++) {
      int number = rank;
      groups
          .get(rank)
          .run(function)
          .whenComplete(
              (value, thrown) -> outcomes.add(new Outcome<>(number, value, cause(thrown))));
    }
    try {
      return results(outcomes, timeout);
    } catch (InterruptedException e) {
      close();
      Thread.currentThread().interrupt();
      throw new JacclException(
          "local cluster of " + size() + ": interrupted while its ranks worked; it is closed", e);
    }
  }

  private <T> List<T> results(BlockingQueue<Outcome<T>> outcomes, Duration timeout)
      throws InterruptedException {
    List<T> results = new ArrayList<>(Collections.nCopies(size(), null));
    List<Outcome<T>> failures = new ArrayList<>();
    Set<Integer> running = new TreeSet<>();
    groups.forEach(group -> running.add(group.rank()));
    long startNanos = System.nanoTime();
    long limitNanos = timeout.toNanos();
    boolean left = false;
    while (!running.isEmpty()) {
      long leftNanos = limitNanos - (System.nanoTime() - startNanos);
      Outcome<T> outcome = outcomes.poll(Math.max(0, leftNanos), TimeUnit.NANOSECONDS);
      long nowNanos = System.nanoTime() - startNanos;
      if (outcome != null) {
        running.remove(outcome.rank());
        results.set(outcome.rank(), outcome.value());
        if (outcome.thrown() != null && failures.isEmpty()) {
          limitNanos = Math.min(limitNanos, nowNanos + SETTLE_TIME.toNanos());
        }
        if (outcome.thrown() != null) {
          failures.add(outcome);
        }
      } else if (!failures.isEmpty() && !left) {
        left = true;
        leave(failures.getFirst());
        limitNanos = System.nanoTime() - startNanos + CLOSE_TIME.toNanos();
      } else {
        break;
      }
    }
    if (!failures.isEmpty()) {
      throw thrown(failures);
    }
    if (!running.isEmpty()) {
      close();
      throw new JacclException(
          "local cluster of %d: ranks %s have not returned from their function within %s; it is closed"
              .formatted(size(), running, timeout));
    }
    return results;
  }

  /** The others wait for this rank, whose function has ended. */
  private void leave(Outcome<?> outcome) {
    groups.get(outcome.rank()).abort(outcome.thrown());
  }

  /** The first failure, as it was thrown on its rank, and the others with it. */
  private static <T> RuntimeException thrown(List<Outcome<T>> failures) {
    Throwable first = failures.getFirst().thrown();
    for (Outcome<T> failure : failures) {
      if (failure.thrown() != first) {
        first.addSuppressed(failure.thrown());
      }
    }
    if (first instanceof Error error) {
      throw error;
    }
    return first instanceof RuntimeException runtime
        ? runtime
        : new JacclException(
            "rank " + failures.getFirst().rank() + ": " + first.getMessage(), first);
  }

  private static Throwable cause(Throwable thrown) {
    return thrown instanceof CompletionException && thrown.getCause() != null
        ? thrown.getCause()
        : thrown;
  }

  /**
   * Leaves the group with all ranks at once; returns when their memory is released, or after ten
   * seconds if a function holds a rank up. Idempotent.
   */
  @Override
  public void close() {
    List<Thread> closing = new ArrayList<>();
    for (Group group : groups) {
      closing.add(
          Thread.ofPlatform().daemon().name("close-local-" + group.rank()).start(group::close));
    }
    long startNanos = System.nanoTime();
    try {
      for (Thread thread : closing) {
        long leftNanos = CLOSE_TIME.toNanos() - (System.nanoTime() - startNanos);
        thread.join(Duration.ofNanos(Math.max(1, leftNanos)));
      }
    } catch (InterruptedException e) {
      // They go on by themselves.
      Thread.currentThread().interrupt();
    }
  }

  private record Outcome<T>(int rank, T value, Throwable thrown) {}
}
