package io.jaccl4j.collective;

import java.lang.foreign.MemorySegment;

/** Messages of one peer that were delivered and not yet used, oldest first. */
final class Arrivals {
  private static final int CAPACITY = 4;

  private final MemorySegment[] memories = new MemorySegment[CAPACITY];
  private final long[] offsets = new long[CAPACITY];
  private int head;
  private int count;

  void add(MemorySegment memory, long offset) {
    int index = (head + count) % CAPACITY;
    memories[index] = memory;
    offsets[index] = offset;
    count++;
  }

  boolean isEmpty() {
    return count == 0;
  }

  MemorySegment memory() {
    return memories[head];
  }

  long offset() {
    return offsets[head];
  }

  void remove() {
    head = (head + 1) % CAPACITY;
    count--;
  }
}
