package io.jaccl4j.collective;

/**
 * JACCL's message sizes: 4096 bytes times a power of two. The class of a transfer is the largest
 * that it fills, at least one frame, at most a slot.
 */
final class BufferClass {
  static final int FRAME_BYTES = 4096;

  private BufferClass() {}

  /** Bytes of one message of a transfer of {@code bytes}. */
  static int messageBytes(long bytes, int slotBytes) {
    if (bytes >= slotBytes) {
      return slotBytes;
    }
    return bytes <= FRAME_BYTES ? FRAME_BYTES : (int) Long.highestOneBit(bytes);
  }
}
