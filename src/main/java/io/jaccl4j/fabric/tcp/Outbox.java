package io.jaccl4j.fabric.tcp;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/** The messages that go out on one socket, oldest first, and how far the kernel has taken them. */
final class Outbox {
  private static final int DEPTH = TcpLink.DEPTH;
  private static final int MASK = DEPTH - 1;

  private final Connection connection;
  private final TcpMemory memory;
  private final MemorySegment head;
  private final ByteBuffer headBytes;
  private final long[] offsets = new long[DEPTH];
  private final int[] lengths = new int[DEPTH];
  private final int[] immediates = new int[DEPTH];
  private long posted;
  private long taken;
  private boolean headFilled;
  private int payloadTaken;
  private boolean abandoned;
  private boolean farewellFilled;

  Outbox(Connection connection, TcpMemory memory, Arena arena) {
    this.connection = connection;
    this.memory = memory;
    this.head = arena.allocate(Frame.BUFFER_BYTES, Long.BYTES);
    this.headBytes = head.asByteBuffer();
  }

  void post(long offset, int bytes, int immediate) {
    int place = (int) posted & MASK;
    offsets[place] = offset;
    lengths[place] = bytes;
    immediates[place] = immediate;
    posted++;
  }

  /** Messages that the kernel has taken as a whole. */
  long taken() {
    return taken;
  }

  boolean isEmpty() {
    return taken == posted;
  }

  /** The peer reads no more: nothing leaves from now on. */
  void abandon() {
    abandoned = true;
  }

  boolean isAbandoned() {
    return abandoned;
  }

  /** Writes as much as the kernel takes. */
  void flush() {
    while (taken < posted && !abandoned) {
      int place = (int) taken & MASK;
      int bytes = lengths[place];
      if (!headFilled) {
        fillHead(offsets[place], bytes, immediates[place]);
      }
      if (headBytes.hasRemaining()) {
        connection.write(headBytes);
        if (headBytes.hasRemaining()) {
          return;
        }
      }
      if (payloadTaken < bytes) {
        payloadTaken +=
            connection.write(memory.window(offsets[place] + payloadTaken, bytes - payloadTaken));
        if (payloadTaken < bytes) {
          return;
        }
      }
      taken++;
      headFilled = false;
    }
  }

  private void fillHead(long offset, int bytes, int immediate) {
    int early = Math.min(bytes, Frame.BUFFER_BYTES - Frame.HEADER_BYTES);
    head.set(Frame.INT, Frame.BYTES_OFFSET, bytes);
    head.set(Frame.INT, Frame.IMMEDIATE_OFFSET, immediate);
    MemorySegment.copy(memory.segment(), offset, head, Frame.HEADER_BYTES, early);
    headBytes.limit(Frame.HEADER_BYTES + early).position(0);
    payloadTaken = early;
    headFilled = true;
  }

  /** Writes what is left and a farewell after it; returns whether all of it has left. */
  boolean flushFarewell() {
    if (abandoned) {
      return true;
    }
    flush();
    if (taken < posted) {
      return false;
    }
    if (!farewellFilled) {
      head.set(Frame.INT, Frame.BYTES_OFFSET, Frame.FAREWELL);
      head.set(Frame.INT, Frame.IMMEDIATE_OFFSET, 0);
      headBytes.limit(Frame.HEADER_BYTES).position(0);
      farewellFilled = true;
    }
    connection.write(headBytes);
    return !headBytes.hasRemaining();
  }
}
