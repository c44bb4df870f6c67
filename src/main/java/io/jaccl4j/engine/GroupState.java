package io.jaccl4j.engine;

import io.jaccl4j.GroupClosedException;
import io.jaccl4j.GroupFailure;
import io.jaccl4j.GroupHealth;
import io.jaccl4j.JacclException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;

/**
 * What other threads tell the engine thread, and what every wait of it looks at: the first failure,
 * whether the group is closed, which peers have left. Written by any thread, never reset.
 */
final class GroupState {
  private static final long PRESENT = Long.MAX_VALUE;

  private final String group;
  private final AtomicReference<GroupFailure> failure = new AtomicReference<>();
  private final AtomicLongArray completedByPeer;
  private final AtomicLong turns = new AtomicLong();
  private volatile boolean closed;

  GroupState(String group, int size) {
    this.group = group;
    this.completedByPeer = new AtomicLongArray(size);
    for (int peer = 0; peer < size; peer++) {
      completedByPeer.set(peer, PRESENT);
    }
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

  /** The engine thread gets on. */
  void turn() {
    // Nobody else writes, and a late reader sees a little more of the past.
    turns.lazySet(turns.getPlain() + 1);
  }

  /** Changes whenever the engine thread gets on. */
  long turns() {
    return turns.get();
  }

  void close() {
    closed = true;
  }

  boolean isClosed() {
    return closed;
  }

  /** A peer has left after so many collectives. */
  void peerLeft(int peer, long completedCollectives) {
    completedByPeer.set(peer, completedCollectives);
  }

  boolean hasLeft(int peer) {
    return completedByPeer.get(peer) != PRESENT;
  }

  /** A peer that left before it had completed the collective of this number, or -1. */
  int leftBefore(long collective) {
    for (int peer = 0; peer < completedByPeer.length(); peer++) {
      if (completedByPeer.get(peer) <= collective) {
        return peer;
      }
    }
    return -1;
  }

  GroupHealth health() {
    if (closed) {
      return GroupHealth.CLOSED;
    }
    return failure.get() == null ? GroupHealth.READY : GroupHealth.FAILED;
  }

  /** What an operation that cannot run ends with, or null if it can. */
  JacclException refusal(String operation, long sequence) {
    GroupFailure cause = failure.get();
    if (cause != null) {
      return cause.toException(operation, sequence);
    }
    return closed ? closedException(operation) : null;
  }

  GroupClosedException closedException(String operation) {
    return new GroupClosedException(
        operation + ": group [" + group + "] was closed on this rank; join again for a new one");
  }
}
