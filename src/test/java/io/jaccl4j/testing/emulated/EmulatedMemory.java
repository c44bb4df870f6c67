package io.jaccl4j.testing.emulated;

import io.jaccl4j.fabric.HeapBudget;
import io.jaccl4j.fabric.RegisteredMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Native memory of one rank: staging slots, then the heap. */
final class EmulatedMemory implements RegisteredMemory {
  private static final long ALIGNMENT_BYTES = 4096;

  private final Arena arena = Arena.ofShared();
  private final MemorySegment segment;
  private final int slotBytes;
  private final int slots;
  private final HeapBudget heap;

  EmulatedMemory(int slotBytes, int slots, long heapBytes) {
    this.slotBytes = slotBytes;
    this.slots = slots;
    this.heap = new HeapBudget(heapBytes);
    this.segment = arena.allocate((long) slots * slotBytes + heapBytes, ALIGNMENT_BYTES);
  }

  @Override
  public MemorySegment segment() {
    return segment;
  }

  @Override
  public int slotBytes() {
    return slotBytes;
  }

  @Override
  public int slots() {
    return slots;
  }

  @Override
  public MemorySegment allocate(long bytes) {
    return segment.asSlice(slotOffset(slots) + heap.take(bytes), bytes);
  }

  void close() {
    arena.close();
  }
}
