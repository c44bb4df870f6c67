package io.jaccl4j.engine;

import io.jaccl4j.QueueFullException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** Tasks on their way to the engine thread, in submission order, at most so many. */
final class SubmissionQueue {
  private final ConcurrentLinkedQueue<Task> tasks = new ConcurrentLinkedQueue<>();
  private final AtomicInteger length = new AtomicInteger();
  private final int capacity;

  SubmissionQueue(int capacity) {
    this.capacity = capacity;
  }

  /** Any thread. */
  void offer(Task task) {
    if (length.incrementAndGet() > capacity) {
      length.decrementAndGet();
      throw new QueueFullException(
          task.label()
              + ": "
              + capacity
              + " operations are waiting already; wait for some of them, or raise"
              + " jaccl4j.submission-queue-length");
    }
    tasks.add(task);
  }

  /** The oldest task, or null. The engine thread; after its loop, whoever refuses the rest. */
  Task poll() {
    Task task = tasks.poll();
    if (task != null) {
      length.decrementAndGet();
    }
    return task;
  }
}
