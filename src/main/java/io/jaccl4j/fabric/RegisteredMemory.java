package io.jaccl4j.fabric;

import java.lang.foreign.MemorySegment;

/**
 * The memory of one rank that its links can send from and may receive into: staging slots at fixed
 * places, and a heap for buffers of the application.
 *
 * <p>Offsets count from the start of {@link #segment()}. Slots are for the engine thread; {@link
 * #allocate} may be called from any thread.
 */
public interface RegisteredMemory {

  /** All of it. */
  MemorySegment segment();

  /** Bytes of one staging slot. */
  int slotBytes();

  /** Number of staging slots. */
  int slots();

  /** Where a staging slot begins: they lie one after the other at the start. */
  default long slotOffset(int slot) {
    return (long) slot * slotBytes();
  }

  /**
   * Where a buffer begins if it lies in this memory as a whole.
   *
   * @return its offset, or -1
   */
  default long offsetOf(MemorySegment buffer) {
    long offset = buffer.address() - segment().address();
    return buffer.isNative() && offset >= 0 && offset <= segment().byteSize() - buffer.byteSize()
        ? offset
        : -1;
  }

  /**
   * Zeroed memory for the application, aligned to 64 bytes, until the fabric is closed.
   *
   * @throws io.jaccl4j.InvalidBufferException if less is left
   */
  MemorySegment allocate(long bytes);
}
