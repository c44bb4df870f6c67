package io.jaccl4j.collective;

import io.jaccl4j.reduce.ReduceKernel;
import java.lang.foreign.MemorySegment;

/**
 * Reduces one piece in a fixed order of ranks, {@code ((x[o0] op x[o1]) op x[o2]) ...}, whatever
 * the order of arrival: a result's bits do not depend on timing.
 */
final class OrderedReduction {
  private final int rank;
  private final int[] order;
  private ReduceKernel kernel;
  private int elementBytes;
  private int next;

  private OrderedReduction(int rank, int[] order) {
    this.rank = rank;
    this.order = order;
  }

  /**
   * The order of ranks. It is the same on every rank, so a result's bits do not depend on where it
   * was reduced either.
   */
  static OrderedReduction byRank(int rank, int size) {
    int[] order = new int[size];
    for (int i = 0; i < size; i++) {
      order[i] = i;
    }
    return new OrderedReduction(rank, order);
  }

  /** Own value first, then the others by rank: one of the orders that JACCL may have. */
  static OrderedReduction ownFirst(int rank, int size) {
    int[] order = new int[size];
    order[0] = rank;
    int place = 1;
    for (int other = 0; other < size; other++) {
      if (other != rank) {
        order[place++] = other;
      }
    }
    return new OrderedReduction(rank, order);
  }

  void prepare(ReduceKernel newKernel, int newElementBytes) {
    kernel = newKernel;
    elementBytes = newElementBytes;
    next = 0;
  }

  /** The rank whose piece is needed next. */
  int nextRank() {
    return order[next];
  }

  /**
   * Whether the output is written before this rank's own value is read. The first reduction reads
   * two values before it writes.
   */
  boolean writesBeforeOwn() {
    return order[0] != rank && order[1] != rank;
  }

  /**
   * Goes as far as the arrivals allow.
   *
   * @return whether the piece is complete; the next call then begins the next piece
   */
  boolean advance(
      MeshOperation operation,
      MemorySegment own,
      long ownOffset,
      MemorySegment out,
      long outOffset,
      int bytes) {
    long elements = bytes / elementBytes;
    if (next == 0 && isHere(operation, order[0])) {
      next = 1;
    }
    if (next == 1 && isHere(operation, order[1])) {
      Arrivals first = operation.arrivals[order[0]];
      Arrivals second = operation.arrivals[order[1]];
      MemorySegment a = rank == order[0] ? own : first.memory();
      long aOffset = rank == order[0] ? ownOffset : first.offset();
      MemorySegment b = rank == order[1] ? own : second.memory();
      long bOffset = rank == order[1] ? ownOffset : second.offset();
      kernel.reduce(out, outOffset, a, aOffset, b, bOffset, elements);
      useUnlessOwn(operation, order[0]);
      useUnlessOwn(operation, order[1]);
      next = 2;
    }
    while (next >= 2 && next < order.length && isHere(operation, order[next])) {
      Arrivals arrived = operation.arrivals[order[next]];
      MemorySegment b = rank == order[next] ? own : arrived.memory();
      long bOffset = rank == order[next] ? ownOffset : arrived.offset();
      kernel.reduce(out, outOffset, out, outOffset, b, bOffset, elements);
      useUnlessOwn(operation, order[next]);
      next++;
    }
    if (next < order.length) {
      return false;
    }
    next = 0;
    return true;
  }

  private boolean isHere(MeshOperation operation, int other) {
    return other == rank || !operation.arrivals[other].isEmpty();
  }

  private void useUnlessOwn(MeshOperation operation, int other) {
    if (other != rank) {
      operation.use(other);
    }
  }
}
