package io.jaccl4j.ring;

import io.jaccl4j.GroupFailure;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The dedicated thread of a ring and its loop: takes tasks in submission order until the ring fails
 * or is closed, passes on what others send through this rank, and notices between tasks that a
 * neighbour is gone.
 */
final class RingThread {
  /** Long enough for an operation under way to notice that the ring is closed. */
  private static final Duration CLOSE_WAIT = Duration.ofSeconds(5);

  /** Between tasks others wake the thread; this only bounds the sleep. */
  private static final long LONGEST_SLEEP_MILLIS = 1000;

  private final Thread thread;
  private final int rank;
  private final RingState state;
  private final LongSupplier clock;
  private final long spinNanos;
  private final Queue<Task> tasks = new ConcurrentLinkedQueue<>();
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile Sockets sockets;

  RingThread(int rank, RingState state, RingOptions options, Runnable body) {
    // A daemon: a ring that nobody closed must not keep the process alive.
    this.thread =
        Thread.ofPlatform()
            .name("jaccl-ring-" + rank)
            .daemon(true)
            .unstarted(
                () -> {
                  try {
                    body.run();
                  } finally {
                    ended.countDown();
                  }
                });
    this.rank = rank;
    this.state = state;
    this.clock = options.nanoClock();
    this.spinNanos = options.spin().toNanos();
  }

  Thread thread() {
    return thread;
  }

  void start() {
    thread.start();
  }

  boolean isCurrent() {
    return Thread.currentThread() == thread;
  }

  /** Any thread. */
  void submit(Task task) {
    tasks.add(task);
    wake();
    // The thread may have emptied the queue for the last time just before the task came in.
    if (ended.getCount() == 0) {
      refuseAll();
    }
  }

  /** Any thread: what was written to the state is looked at soon. */
  void wake() {
    Sockets current = sockets;
    if (current != null) {
      current.wake();
    }
  }

  /** Waits for the thread to end; whether it has. */
  boolean awaitEnd() {
    boolean interrupted = false;
    long untilNanos = System.nanoTime() + CLOSE_WAIT.toNanos();
    while (true) {
      try {
        boolean over = ended.await(untilNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
        return over;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
  }

  /** The loop, on the thread itself. Returns when the ring is closed or has failed. */
  void loop(RingSession session, Sockets newSockets, Relay relay) {
    sockets = newSockets;
    try {
      work(session, relay);
    } catch (ConnectionLostException e) {
      lostBetweenOperations(e);
    } catch (RuntimeException | Error e) {
      state.fail(
          new GroupFailure(
              GroupFailure.Kind.INTERNAL,
              rank,
              "",
              rank,
              "rank " + rank + " between operations: broke off with " + e + "; form a new ring"));
      throw e;
    } finally {
      sockets.close();
      refuseAll();
    }
  }

  private void work(RingSession session, Relay relay) {
    boolean idle = false;
    long idleSinceNanos = 0;
    while (!state.isOver()) {
      Task task = tasks.poll();
      if (task != null) {
        task.run(session);
        idle = false;
        continue;
      }
      if (relay != null && relay.advance() > 0) {
        idle = false;
        continue;
      }
      Connection lost = sockets.lost();
      if (lost != null) {
        lostBetweenOperations(lost.lost());
        return;
      }
      if (!idle) {
        idle = true;
        idleSinceNanos = clock.getAsLong();
      }
      if (clock.getAsLong() - idleSinceNanos < spinNanos) {
        Thread.yield();
      } else {
        sleep(relay);
      }
    }
  }

  private void sleep(Relay relay) {
    sockets.aboutToSleep();
    if (state.isOver() || !tasks.isEmpty()) {
      sockets.stayAwake();
      return;
    }
    sockets.sleep(null, relay, LONGEST_SLEEP_MILLIS);
  }

  private void lostBetweenOperations(ConnectionLostException e) {
    state.fail(
        new GroupFailure(
            GroupFailure.Kind.PEER_LOST,
            e.connection().peer(),
            e.connection().address(),
            rank,
            "rank " + rank + " between operations: " + e.getMessage()));
  }

  private void refuseAll() {
    for (Task task = tasks.poll(); task != null; task = tasks.poll()) {
      task.refuse(state.refusal(task.label()));
    }
  }
}
