package io.jaccl4j.collective;

import io.jaccl4j.reduce.ReduceKernel;
import java.lang.foreign.MemorySegment;

/**
 * Reduces one piece in the order of ranks: {@code ((x0 op x1) op x2) ...}, whatever the order of
 * arrival. It is the same order for every size and on every rank, so a result's bits do not depend
 * on where or in which size of message it was reduced.
 */
final class RankOrderReduction {
  private final int rank;
  private final int size;
  private ReduceKernel kernel;
  private int elementBytes;
  private int nextRank;

  RankOrderReduction(int rank, int size) {
    this.rank = rank;
    this.size = size;
  }

  void prepare(ReduceKernel newKernel, int newElementBytes) {
    kernel = newKernel;
    elementBytes = newElementBytes;
    nextRank = 0;
  }

  /** The rank whose piece is needed next. */
  int nextRank() {
    return nextRank;
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
    if (nextRank == 0 && isHere(operation, 0)) {
      nextRank = 1;
    }
    if (nextRank == 1 && isHere(operation, 1)) {
      Arrivals first = operation.arrivals[0];
      Arrivals second = operation.arrivals[1];
      MemorySegment a = rank == 0 ? own : first.memory();
      long aOffset = rank == 0 ? ownOffset : first.offset();
      MemorySegment b = rank == 1 ? own : second.memory();
      long bOffset = rank == 1 ? ownOffset : second.offset();
      kernel.reduce(out, outOffset, a, aOffset, b, bOffset, elements);
      useUnlessOwn(operation, 0);
      useUnlessOwn(operation, 1);
      nextRank = 2;
    }
    while (nextRank >= 2 && nextRank < size && isHere(operation, nextRank)) {
      Arrivals next = operation.arrivals[nextRank];
      MemorySegment b = rank == nextRank ? own : next.memory();
      long bOffset = rank == nextRank ? ownOffset : next.offset();
      kernel.reduce(out, outOffset, out, outOffset, b, bOffset, elements);
      useUnlessOwn(operation, nextRank);
      nextRank++;
    }
    if (nextRank < size) {
      return false;
    }
    nextRank = 0;
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
