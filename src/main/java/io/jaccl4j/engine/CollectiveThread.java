package io.jaccl4j.engine;

import io.jaccl4j.GroupFailure;
import io.jaccl4j.GroupMember;
import io.jaccl4j.JacclException;
import io.jaccl4j.fabric.Fabric;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The dedicated thread of a group and its loop: takes tasks in submission order until the group
 * fails or is closed. After a failure it keeps the memory that the application got from the group
 * until that is closed.
 */
final class CollectiveThread {
  private static final Logger LOG = LoggerFactory.getLogger(CollectiveThread.class);
  private static final Duration CLOSE_WAIT = Duration.ofSeconds(5);

  /** Between tasks a submitter wakes the thread; this only bounds the sleep. */
  private static final long LONGEST_SLEEP_NANOS = Duration.ofSeconds(1).toNanos();

  /** While a send is still to be moved on, which nobody wakes the thread for. */
  private static final long SENDING_SLEEP_NANOS = Duration.ofNanos(50_000).toNanos();

  private final Thread thread;
  private final GroupState state;
  private final SubmissionQueue queue;
  private final GroupMember self;
  private final EngineListener listener;
  private final NanoClock clock;
  private final CompletableFuture<Void> terminated = new CompletableFuture<>();
  private final AtomicBoolean reported = new AtomicBoolean();
  private final long spinNanos;
  private final long yieldNanos;

  /** What the thread runs; for whoever has to end it without the thread. */
  private volatile Task current;

  CollectiveThread(
      String name,
      Runnable body,
      GroupState state,
      EngineListener listener,
      NanoClock clock,
      Formation formation,
      boolean oversubscribed) {
    // A daemon: a group that nobody closed must not keep the process alive.
    this.thread = Thread.ofPlatform().name(name).daemon(true).unstarted(body);
    this.state = state;
    this.queue = new SubmissionQueue(formation.settings().submissionQueueLength());
    this.self = formation.members().get(formation.rank());
    this.listener = listener;
    this.clock = clock;
    this.spinNanos = oversubscribed ? 0 : formation.settings().idle().spin().toNanos();
    this.yieldNanos = spinNanos + formation.settings().idle().yield().toNanos();
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
    queue.offer(task);
    LockSupport.unpark(thread);
    // The thread may have emptied the queue for the last time just before the task came in.
    if (terminated.isDone()) {
      refuseAll(0);
    }
  }

  /** Any thread: what was written to the state is looked at soon. */
  void wake() {
    LockSupport.unpark(thread);
  }

  /** Any thread. */
  void close() {
    state.close();
    wake();
  }

  void awaitEnd() {
    boolean interrupted = false;
    long untilNanos = clock.nanoTime() + CLOSE_WAIT.toNanos();
    while (thread.isAlive() && untilNanos - clock.nanoTime() > 0) {
      try {
        thread.join(Duration.ofNanos(Math.max(1, untilNanos - clock.nanoTime())));
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  CompletionStage<Void> terminated() {
    return terminated.minimalCompletionStage();
  }

  /** The loop, on the thread itself. Returns when the group is closed. */
  void loop(EngineSession session, Fabric fabric) {
    try {
      try {
        work(session, fabric);
      } catch (RuntimeException e) {
        // Not from a task, which ends with what it throws: nobody else would hear of it.
        LOG.error("Engine of {} broke off between operations", self, e);
        state.fail(
            new GroupFailure(
                GroupFailure.Kind.INTERNAL,
                self.rank(),
                self.address(),
                self.rank(),
                "the engine of "
                    + self
                    + " broke off between operations with "
                    + e
                    + "; join again for a new group"));
      }
      GroupFailure failure = state.failure();
      terminate(session, failure);
      if (failure != null) {
        awaitClose();
      }
    } finally {
      fabric.close();
    }
  }

  private void work(EngineSession session, Fabric fabric) {
    int unproductive = 0;
    long idleSinceNanos = 0;
    while (!isOver()) {
      state.turn();
      Task task = queue.poll();
      if (task != null) {
        current = task;
        task.run(session);
        current = null;
        unproductive = 0;
        continue;
      }
      if (unproductive++ == 0) {
        idleSinceNanos = clock.nanoTime();
      }
      boolean sending = fabric.progress();
      long idleNanos = clock.nanoTime() - idleSinceNanos;
      if (idleNanos < spinNanos) {
        Thread.onSpinWait();
      } else if (idleNanos < yieldNanos) {
        Thread.yield();
      } else {
        LockSupport.parkNanos(this, sending ? SENDING_SLEEP_NANOS : LONGEST_SLEEP_NANOS);
      }
    }
  }

  private boolean isOver() {
    return state.isClosed() || state.failure() != null;
  }

  private void terminate(EngineSession session, GroupFailure failure) {
    report(Optional.ofNullable(failure), session.completedCollectives());
  }

  /**
   * Ends everything that waits for a thread that does not come back, on another thread. What the
   * thread holds stays as it is: a device may still write to it.
   */
  void abandon(GroupFailure failure) {
    report(Optional.of(failure), 0);
    Task stuck = current;
    if (stuck != null) {
      stuck.refuse(failure.toException(stuck.label()));
    }
  }

  private void report(Optional<GroupFailure> ending, long completed) {
    if (!reported.compareAndSet(false, true)) {
      return;
    }
    GroupFailure failure = ending.orElse(null);
    if (failure == null) {
      terminated.complete(null);
    } else {
      terminated.completeExceptionally(failure.toException("group"));
    }
    refuseAll(completed);
    listener.onTerminated(ending, completed);
  }

  private void refuseAll(long sequence) {
    for (Task task = queue.poll(); task != null; task = queue.poll()) {
      JacclException refusal = state.refusal(task.label(), sequence++);
      task.refuse(refusal);
    }
  }

  private void awaitClose() {
    while (!state.isClosed()) {
      LockSupport.parkNanos(this, LONGEST_SLEEP_NANOS);
    }
  }
}
