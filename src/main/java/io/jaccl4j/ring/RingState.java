package io.jaccl4j.ring;

import io.jaccl4j.GroupClosedException;
import io.jaccl4j.GroupFailure;
import io.jaccl4j.JacclException;
import java.util.concurrent.atomic.AtomicReference;

/**
 * What other threads tell the ring's thread: the first failure, and whether the ring is closed.
 * Written by any thread, never reset.
 */
final class RingState {
  private final int rank;
  private final AtomicReference<GroupFailure> failure = new AtomicReference<>();
  private volatile boolean closed;

  RingState(int rank) {
    this.rank = rank;
  }

  /** Keeps the first cause and returns it. */
  GroupFailure fail(GroupFailure cause) {
    failure.compareAndSet(null, cause);
    return failure.get();
  }

  /** The first cause, or null. */
  GroupFailure failure() {
    return failure.get();
  }

  void close() {
    closed = true;
  }

  boolean isClosed() {
    return closed;
  }

  boolean isOver() {
    return closed || failure.get() != null;
  }

  /** What an operation that cannot run ends with, or null if it can. */
  JacclException refusal(String operation) {
    GroupFailure cause = failure.get();
    if (cause != null) {
      return cause.toException(operation);
    }
    return closed
        ? new GroupClosedException(
            operation + ": the ring was closed on rank " + rank + "; connect a new one")
        : null;
  }
}
