package io.jaccl4j.fabric;

import io.jaccl4j.InvalidBufferException;

/**
 * Deals out places in the heap of a {@link RegisteredMemory}, aligned to 64 bytes; nothing is taken
 * back. For any thread.
 */
public final class HeapBudget {
  private static final long ALIGNMENT_BYTES = 64;

  private final long heapBytes;
  private long usedBytes;

  public HeapBudget(long heapBytes) {
    this.heapBytes = heapBytes;
  }

  /**
   * Takes the next bytes.
   *
   * @return where they begin in the heap
   * @throws InvalidBufferException if less is left
   */
  public synchronized long take(long bytes) {
    if (bytes < 0) {
      throw new InvalidBufferException("allocate: " + bytes + " bytes, want 0 or more");
    }
    long leftBytes = heapBytes - usedBytes;
    if (bytes > leftBytes) {
      throw new InvalidBufferException(
          "allocate: "
              + bytes
              + " bytes, but "
              + leftBytes
              + " of "
              + heapBytes
              + " registered bytes are left; raise jaccl4j.memory.registered-bytes on all ranks");
    }
    long offset = usedBytes;
    usedBytes = Math.min(heapBytes, (offset + bytes + ALIGNMENT_BYTES - 1) & -ALIGNMENT_BYTES);
    return offset;
  }
}
