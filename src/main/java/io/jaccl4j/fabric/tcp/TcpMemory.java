package io.jaccl4j.fabric.tcp;

import io.jaccl4j.fabric.HeapBudget;
import io.jaccl4j.fabric.RegisteredMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * The memory of one rank: the kernel copies from it and into it.
 *
 * <pre>
 * staging slots of the algorithms
 * receive slots, per link
 * heap of the application
 * </pre>
 */
final class TcpMemory implements RegisteredMemory {
  private static final long ALIGNMENT_BYTES = 4096;

  /** A buffer of the JDK ends at 2 GiB: every message lies within one of several that overlap. */
  private static final long WINDOW_STRIDE_BYTES = 1L << 29;

  private final Arena arena = Arena.ofShared();
  private final MemorySegment slab;
  private final int slotBytes;
  private final int sendSlots;
  private final int receiveSlotsPerLink;
  private final long heapOffset;
  private final HeapBudget heap;
  private final ByteBuffer[] windows;

  TcpMemory(int slotBytes, int sendSlots, int links, int receiveSlotsPerLink, long heapBytes) {
    this.slotBytes = slotBytes;
    this.sendSlots = sendSlots;
    this.receiveSlotsPerLink = receiveSlotsPerLink;
    this.heapOffset = ((long) sendSlots + (long) links * receiveSlotsPerLink) * slotBytes;
    this.heap = new HeapBudget(heapBytes);
    this.slab = arena.allocate(heapOffset + aligned(heapBytes), ALIGNMENT_BYTES);
    this.windows = windows(slab, slotBytes);
  }

  private static long aligned(long bytes) {
    return (bytes + ALIGNMENT_BYTES - 1) & -ALIGNMENT_BYTES;
  }

  private static ByteBuffer[] windows(MemorySegment slab, int slotBytes) {
    int count = (int) ((slab.byteSize() + WINDOW_STRIDE_BYTES - 1) / WINDOW_STRIDE_BYTES);
    ByteBuffer[] windows = new ByteBuffer[count];
    for (int i = 0; i < count; i++) {
      long start = i * WINDOW_STRIDE_BYTES;
      long bytes = Math.min(WINDOW_STRIDE_BYTES + slotBytes, slab.byteSize() - start);
      windows[i] = slab.asSlice(start, bytes).asByteBuffer();
    }
    return windows;
  }

  /** A view of bytes that are about to be moved, good until the next call. */
  ByteBuffer window(long offset, int bytes) {
    int index = (int) (offset / WINDOW_STRIDE_BYTES);
    int start = (int) (offset - index * WINDOW_STRIDE_BYTES);
    return windows[index].limit(start + bytes).position(start);
  }

  /** Where a receive slot of a link begins. */
  long receiveOffset(int link, int slot) {
    return ((long) sendSlots + (long) link * receiveSlotsPerLink + slot) * slotBytes;
  }

  @Override
  public MemorySegment segment() {
    return slab;
  }

  @Override
  public int slotBytes() {
    return slotBytes;
  }

  @Override
  public int slots() {
    return sendSlots;
  }

  @Override
  public MemorySegment allocate(long bytes) {
    return slab.asSlice(heapOffset + heap.take(bytes), bytes);
  }

  void free() {
    if (arena.scope().isAlive()) {
      arena.close();
    }
  }
}
