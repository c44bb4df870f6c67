package io.jaccl4j.fabric.verbs;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * What one end of a wire sends through it, so that the other learns whom it reaches. Little-endian.
 *
 * <pre>
 * 0    epoch    int64
 * 8    rank     int32
 * 12   wire     int32
 * 16   device   UTF-8, to the end
 * </pre>
 */
record EndName(long epoch, int rank, int wire, String device) {
  private static final ValueLayout.OfLong LONG =
      JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT =
      JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final int HEADER_BYTES = 16;

  /** Writes it; how many bytes it has. */
  int write(MemorySegment memory, long offset) {
    byte[] name = device.getBytes(StandardCharsets.UTF_8);
    int nameBytes = Math.min(name.length, VerbsMemory.NAME_BYTES - HEADER_BYTES);
    memory.set(LONG, offset, epoch);
    memory.set(INT, offset + 8, rank);
    memory.set(INT, offset + 12, wire);
    MemorySegment.copy(name, 0, memory, JAVA_BYTE, offset + HEADER_BYTES, nameBytes);
    return HEADER_BYTES + nameBytes;
  }

  /** Reads one, or null if it is too short to be one. */
  static EndName read(MemorySegment memory, long offset, int bytes) {
    if (bytes < HEADER_BYTES) {
      return null;
    }
    byte[] name = new byte[bytes - HEADER_BYTES];
    MemorySegment.copy(memory, JAVA_BYTE, offset + HEADER_BYTES, name, 0, name.length);
    return new EndName(
        memory.get(LONG, offset),
        memory.get(INT, offset + 8),
        memory.get(INT, offset + 12),
        new String(name, StandardCharsets.UTF_8));
  }

  @Override
  public String toString() {
    return "device " + device + " of rank " + rank + ", wire " + wire + " in epoch " + epoch;
  }
}
