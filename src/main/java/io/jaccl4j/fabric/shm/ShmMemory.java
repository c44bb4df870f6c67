package io.jaccl4j.fabric.shm;

import io.jaccl4j.InvalidBufferException;
import io.jaccl4j.fabric.FabricException;
import io.jaccl4j.fabric.HeapBudget;
import io.jaccl4j.fabric.RegisteredMemory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** One rank's memory in the group's file: slots, then a heap that only grows. */
final class ShmMemory implements RegisteredMemory {
  private final ShmFile file;
  private final long areaOffset;
  private final MemorySegment segment;
  private final HeapBudget heap;

  ShmMemory(ShmFile file, int rank) {
    this.file = file;
    this.areaOffset = file.layout().areaOffset(rank);
    this.heap = new HeapBudget(file.layout().heapBytes());
    this.segment = file.segment().asSlice(areaOffset, file.layout().areaBytes());
  }

  void reserveSlots() {
    try {
      file.reserve(areaOffset, file.layout().slotAreaBytes());
    } catch (IOException e) {
      throw new FabricException(
          "no room for "
              + file.layout().slotAreaBytes()
              + " bytes of staging slots in "
              + file.path().getParent()
              + "; enlarge that file system or lower jaccl4j.memory.slot-bytes",
          e);
    }
  }

  @Override
  public MemorySegment segment() {
    return segment;
  }

  @Override
  public int slotBytes() {
    return file.layout().slotBytes();
  }

  @Override
  public int slots() {
    return file.layout().slots();
  }

  @Override
  public MemorySegment allocate(long bytes) {
    long offset = file.layout().slotAreaBytes() + heap.take(bytes);
    try {
      file.reserve(areaOffset + offset, bytes);
    } catch (IOException e) {
      throw new InvalidBufferException(
          "allocate: no room for "
              + bytes
              + " bytes in "
              + file.path().getParent()
              + " ("
              + e.getMessage()
              + "); enlarge that file system");
    }
    return segment.asSlice(offset, bytes);
  }
}
