package io.jaccl4j.ring;

import io.jaccl4j.JacclException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/**
 * Work for the ring's thread and the promise of its result. Whoever claims it first, the thread or
 * a caller that no longer wants it, decides what becomes of it.
 */
final class Task {
  private final String label;
  private final long deadlineNanos;
  private final Function<RingSession, ?> body;
  private final CompletableFuture<Object> result = new CompletableFuture<>();
  private final AtomicBoolean claimed = new AtomicBoolean();

  /**
   * @param deadlineNanos of the operation inside, or {@link OperationRunner#FROM_NOW} for each
   */
  Task(String label, long deadlineNanos, Function<RingSession, ?> body) {
    this.label = label;
    this.deadlineNanos = deadlineNanos;
    this.body = body;
  }

  String label() {
    return label;
  }

  CompletableFuture<Object> result() {
    return result;
  }

  void run(RingSession session) {
    if (!claimed.compareAndSet(false, true)) {
      return;
    }
    session.deadline(deadlineNanos);
    Object value;
    try {
      value = body.apply(session);
    } catch (Throwable t) {
      // Whatever the application threw belongs to whoever asked for the result.
      result.completeExceptionally(t);
      return;
    }
    result.complete(value);
  }

  /** Keeps it from being run, if it is not running yet; whether that succeeded. */
  boolean withdraw() {
    return claimed.compareAndSet(false, true);
  }

  void refuse(JacclException reason) {
    if (withdraw()) {
      result.completeExceptionally(reason);
    }
  }
}
