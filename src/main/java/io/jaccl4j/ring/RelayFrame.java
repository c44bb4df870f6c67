package io.jaccl4j.ring;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * What goes over the relay connections between ranks that are not neighbours:
 *
 * <pre>
 *    0      4        8             12              16      24
 *   | kind | source | destination | payload bytes | value | payload |
 * </pre>
 *
 * Integers are little-endian. A frame is used over and over.
 */
final class RelayFrame {
  static final int HEADER_BYTES = 24;
  static final int MOST_PAYLOAD_BYTES = 64 << 10;

  /** What a frame says; the number on the wire is its position here. */
  enum Kind {
    /** The destination of a transfer expects {@code value} bytes of it. */
    READY,
    /** Part of a transfer, in order. */
    DATA,
    /** The destination of a transfer has {@code value} bytes of it so far. */
    CREDIT
  }

  private final ByteBuffer bytes =
      ByteBuffer.allocateDirect(HEADER_BYTES + MOST_PAYLOAD_BYTES).order(ByteOrder.LITTLE_ENDIAN);

  /** Makes a frame without payload, ready to be sent. */
  RelayFrame set(Kind kind, int source, int destination, long value) {
    header(kind, source, destination, 0, value);
    bytes.flip();
    return this;
  }

  /** Makes a frame with the bytes of a buffer, ready to be sent. */
  RelayFrame setData(int source, int destination, ByteBuffer payload) {
    header(Kind.DATA, source, destination, payload.remaining(), 0);
    bytes.put(payload).flip();
    return this;
  }

  private void header(Kind kind, int source, int destination, int payloadBytes, long value) {
    bytes.clear().putInt(kind.ordinal()).putInt(source).putInt(destination);
    bytes.putInt(payloadBytes).putLong(value);
  }

  /** Prepares for receiving. */
  RelayFrame clear() {
    bytes.clear().limit(HEADER_BYTES);
    return this;
  }

  /** The bytes that are to be sent or received next. */
  ByteBuffer bytes() {
    return bytes;
  }

  /**
   * Whether the frame has been received, as far as its buffer goes: after the header it is
   * prolonged by the payload.
   *
   * @throws MismatchException if this is no frame among so many ranks
   */
  boolean isReceived(int size, int sender) {
    if (bytes.hasRemaining()) {
      return false;
    }
    if (bytes.limit() == HEADER_BYTES) {
      int payload = bytes.getInt(12);
      boolean valid =
          bytes.getInt(0) >= 0
              && bytes.getInt(0) < Kind.values().length
              && isRank(source(), size)
              && isRank(destination(), size)
              && payload >= 0
              && payload <= MOST_PAYLOAD_BYTES;
      if (!valid) {
        throw new MismatchException(
            sender,
            "rank " + sender + " sent what is no frame; are all ranks of the same version?");
      }
      bytes.limit(HEADER_BYTES + payload);
    }
    return !bytes.hasRemaining();
  }

  private static boolean isRank(int number, int size) {
    return number >= 0 && number < size;
  }

  /** After it was received: ready to be sent on. */
  RelayFrame rewind() {
    bytes.rewind();
    return this;
  }

  Kind kind() {
    return switch (bytes.getInt(0)) {
      case 0 -> Kind.READY;
      case 1 -> Kind.DATA;
      default -> Kind.CREDIT;
    };
  }

  int source() {
    return bytes.getInt(4);
  }

  int destination() {
    return bytes.getInt(8);
  }

  long value() {
    return bytes.getLong(16);
  }

  /** After it was received: the payload. */
  ByteBuffer payload() {
    return bytes.position(HEADER_BYTES);
  }
}
