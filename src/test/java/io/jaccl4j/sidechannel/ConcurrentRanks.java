package io.jaccl4j.sidechannel;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Threads that are ranks of one group. */
final class ConcurrentRanks implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 30;

  /** What a rank does. */
  @FunctionalInterface
  interface RankTask<T> {
    T run(int rank) throws Exception;
  }

  // Not virtual ones: those that wait for sockets in a library may keep the others from running.
  private final ExecutorService threads =
      Executors.newCachedThreadPool(Thread.ofPlatform().daemon().name("rank-", 0).factory());

  <T> Future<T> start(Callable<T> task) {
    return threads.submit(task);
  }

  /** Runs every rank to its end, and returns the results in rank order. */
  <T> List<T> all(int size, RankTask<T> task) throws Exception {
    List<Future<T>> futures = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      int me = rank;
      futures.add(start(() -> task.run(me)));
    }
    List<T> results = new ArrayList<>();
    for (Future<T> future : futures) {
      results.add(get(future));
    }
    return results;
  }

  static <T> T get(Future<T> future) throws Exception {
    try {
      return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    } catch (TimeoutException e) {
      throw new AssertionError("a rank does not end", e);
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
