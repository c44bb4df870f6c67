package io.jaccl4j.fabric.tcp;

import io.jaccl4j.fabric.FabricException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * The messages that come in on one socket: every {@code stride}-th of its link. Bytes are taken
 * from the kernel only for a message whose receive is posted, and a few more that came along; a
 * sender that is ahead fills the kernel's buffers and waits.
 */
final class Inbox {
  private static final int UNKNOWN = Integer.MIN_VALUE;

  private final Connection connection;
  private final int stride;
  private final TcpMemory memory;
  private final MemorySegment intake;
  private final ByteBuffer intakeBytes;
  private int intakeStart;
  private int intakeEnd;
  private long number;
  private int bytes = UNKNOWN;
  private int immediate;
  private long destination;
  private int filled;
  private boolean dry;
  private boolean departed;

  /**
   * An inbox.
   *
   * @param number of the first message that comes here
   * @param stride from one message here to the next
   */
  Inbox(Connection connection, int number, int stride, TcpMemory memory, Arena arena) {
    this.connection = connection;
    this.number = number;
    this.stride = stride;
    this.memory = memory;
    this.intake = arena.allocate(Frame.BUFFER_BYTES, Long.BYTES);
    this.intakeBytes = intake.asByteBuffer();
  }

  /** Number, on the link, of the message that comes next. */
  long number() {
    return number;
  }

  /** Length of the message that is complete. */
  int bytes() {
    return bytes;
  }

  /** Where in the memory the message is that is complete. */
  long offset() {
    return destination;
  }

  /** Immediate of the message that is complete. */
  int immediate() {
    return immediate;
  }

  /** Whether the peer has said farewell: no message follows. */
  boolean isDeparted() {
    return departed;
  }

  /** The kernel is asked again: it may have more than a moment ago. */
  void wake() {
    dry = false;
  }

  /**
   * Reads on.
   *
   * @param slotOffset where the message goes
   * @param capacity of the posted receive
   * @param expectedOffset where it goes instead if it is the one expected
   * @return whether the message is complete
   */
  boolean read(
      long slotOffset,
      int capacity,
      long expectedOffset,
      int expectedBytes,
      int expectedImmediate) {
    if (bytes == UNKNOWN) {
      if (!readHeader(capacity)) {
        return false;
      }
      boolean expected = bytes == expectedBytes && immediate == expectedImmediate;
      destination = expected ? expectedOffset : slotOffset;
    }
    int early = Math.min(intakeEnd - intakeStart, bytes - filled);
    if (early > 0) {
      MemorySegment.copy(intake, intakeStart, memory.segment(), destination + filled, early);
      intakeStart += early;
      filled += early;
    }
    while (filled < bytes) {
      if (dry) {
        return false;
      }
      int room = bytes - filled;
      int got = connection.read(memory.window(destination + filled, room));
      if (got < 0) {
        throw connection.broken(
            "the peer closed the connection in the middle of message "
                + number
                + ", after "
                + filled
                + " of "
                + bytes
                + " bytes; its process has ended or its group has failed");
      }
      filled += got;
      dry = got < room;
    }
    return true;
  }

  /** The message that is complete has been noted. */
  void next() {
    number += stride;
    bytes = UNKNOWN;
    filled = 0;
  }

  private boolean readHeader(int capacity) {
    if (!fill()) {
      return false;
    }
    int length = intake.get(Frame.INT, intakeStart + Frame.BYTES_OFFSET);
    if (length == Frame.FAREWELL) {
      departed = true;
      return false;
    }
    if (length < 0 || length > capacity) {
      throw connection.broken(
          "message of "
              + length
              + " bytes for a receive of "
              + capacity
              + " (message "
              + number
              + ")");
    }
    immediate = intake.get(Frame.INT, intakeStart + Frame.IMMEDIATE_OFFSET);
    intakeStart += Frame.HEADER_BYTES;
    bytes = length;
    return true;
  }

  /** Whether a whole header is in the intake now. */
  private boolean fill() {
    while (intakeEnd - intakeStart < Frame.HEADER_BYTES) {
      if (dry) {
        return false;
      }
      int rest = intakeEnd - intakeStart;
      if (rest > 0) {
        MemorySegment.copy(intake, intakeStart, intake, 0, rest);
      }
      intakeStart = 0;
      intakeEnd = rest;
      int got = connection.read(intakeBytes.limit(Frame.BUFFER_BYTES).position(rest));
      if (got < 0) {
        throw connection.broken(
            "the peer closed the connection without a farewell before message "
                + number
                + (rest > 0 ? ", within its header" : "")
                + "; its process has ended or its group has failed");
      }
      intakeEnd += got;
      dry = got < Frame.BUFFER_BYTES - rest;
    }
    return true;
  }

  /** Looks whether the next thing that came is a farewell, when sending has failed. */
  boolean findFarewell() {
    if (departed || bytes != UNKNOWN) {
      return departed;
    }
    dry = false;
    try {
      departed =
          fill() && intake.get(Frame.INT, intakeStart + Frame.BYTES_OFFSET) == Frame.FAREWELL;
    } catch (FabricException e) {
      // The failure to send tells more, and is thrown.
      return false;
    }
    return departed;
  }
}
