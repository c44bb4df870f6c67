package io.jaccl4j.fabric.verbs;

import io.jaccl4j.fabric.FabricException;
import io.jaccl4j.fabric.HeapBudget;
import io.jaccl4j.fabric.RegisteredMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The slab of one rank: one piece of memory, registered once with every device that the rank uses.
 *
 * <pre>
 * staging slots of the algorithms
 * receive slots, per link
 * control area, per link
 * heap of the application
 * </pre>
 */
final class VerbsMemory implements RegisteredMemory {
  /** Apple's pages; a multiple of all others. */
  static final long ALIGNMENT_BYTES = 16 * 1024;

  /** What a link sends to its peer besides messages: credits, and once its name. */
  static final int CONTROL_BYTES = 256;

  /** Longest name that a link sends. */
  static final int NAME_BYTES = 128;

  private final Arena arena = Arena.ofShared();
  private final MemorySegment slab;
  private final int slotBytes;
  private final int sendSlots;
  private final int receiveSlotsPerLink;
  private final long controlOffset;
  private final long heapOffset;
  private final HeapBudget heap;

  VerbsMemory(int slotBytes, int sendSlots, int links, int receiveSlotsPerLink, long heapBytes) {
    this.slotBytes = slotBytes;
    this.sendSlots = sendSlots;
    this.receiveSlotsPerLink = receiveSlotsPerLink;
    this.controlOffset = ((long) sendSlots + (long) links * receiveSlotsPerLink) * slotBytes;
    this.heapOffset = aligned(controlOffset + (long) links * CONTROL_BYTES);
    this.heap = new HeapBudget(heapBytes);
    this.slab = slab(bytes(slotBytes, sendSlots, links, receiveSlotsPerLink, heapBytes));
  }

  private MemorySegment slab(long bytes) {
    try {
      return arena.allocate(bytes, ALIGNMENT_BYTES);
    } catch (OutOfMemoryError e) {
      arena.close();
      throw new FabricException(
          "no memory for a slab of "
              + bytes
              + " bytes; lower jaccl4j.memory.registered-bytes or slot-bytes, or give this process"
              + " more",
          e);
    }
  }

  /** Bytes of a slab. */
  static long bytes(
      int slotBytes, int sendSlots, int links, int receiveSlotsPerLink, long heapBytes) {
    long slots = ((long) sendSlots + (long) links * receiveSlotsPerLink) * slotBytes;
    return aligned(aligned(slots + (long) links * CONTROL_BYTES) + heapBytes);
  }

  private static long aligned(long bytes) {
    return (bytes + ALIGNMENT_BYTES - 1) & -ALIGNMENT_BYTES;
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

  /** Where a receive slot of a link begins. */
  long receiveOffset(int link, int slot) {
    return ((long) sendSlots + (long) link * receiveSlotsPerLink + slot) * slotBytes;
  }

  /** Where the control area of a link begins. */
  long controlOffset(int link) {
    return controlOffset + (long) link * CONTROL_BYTES;
  }

  /** Where the name of a link begins, behind its credits. */
  long nameOffset(int link) {
    return controlOffset(link) + CONTROL_BYTES - NAME_BYTES;
  }

  @Override
  public MemorySegment allocate(long bytes) {
    return slab.asSlice(heapOffset + heap.take(bytes), bytes);
  }

  /** No device may use the slab any more. */
  void free() {
    if (arena.scope().isAlive()) {
      arena.close();
    }
  }
}
