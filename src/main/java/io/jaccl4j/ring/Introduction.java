package io.jaccl4j.ring;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * What the two ends of a connection tell each other where they tell anything, in 32 bytes:
 *
 * <pre>
 *    0        8         12     16     20            24           28           32
 *   | "JACCLrng" | version | size | rank | connections | connection | extensions |
 * </pre>
 *
 * Integers are little-endian.
 *
 * @param size number of ranks
 * @param rank of whom sends this
 * @param connections between two neighbours
 * @param connection which of them this is
 * @param extensions whether there are operations that MLX's ring lacks
 */
record Introduction(int size, int rank, int connections, int connection, boolean extensions) {
  static final int BYTES = 32;

  /** The letters in the order in which they are sent. */
  private static final long MAGIC = 0x676e724c4343414aL;

  private static final int VERSION = 2;

  void write(ByteBuffer buffer) {
    buffer.order(ByteOrder.LITTLE_ENDIAN);
    buffer.putLong(MAGIC).putInt(VERSION).putInt(size).putInt(rank);
    buffer.putInt(connections).putInt(connection).putInt(extensions ? 1 : 0);
  }

  /**
   * @throws HandshakeException if these are not the bytes of an introduction
   */
  static Introduction read(ByteBuffer buffer) {
    buffer.order(ByteOrder.LITTLE_ENDIAN);
    long magic = buffer.getLong();
    int version = buffer.getInt();
    Introduction introduction =
        new Introduction(
            buffer.getInt(),
            buffer.getInt(),
            buffer.getInt(),
            buffer.getInt(),
            buffer.getInt() == 1);
    if (magic != MAGIC) {
      throw new HandshakeException("did not introduce itself as a rank of this library", false);
    }
    if (version != VERSION) {
      throw new HandshakeException(
          "introduced itself in version " + version + ", want " + VERSION, false);
    }
    return introduction;
  }

  /** Whether the next bytes, which stay, are the first ones of an introduction. */
  static boolean isBegunBy(ByteBuffer bytes) {
    return bytes.remaining() >= Long.BYTES
        && bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN).getLong(bytes.position()) == MAGIC;
  }

  @Override
  public String toString() {
    return "rank "
        + rank
        + " of "
        + size
        + ", connection "
        + connection
        + " of "
        + connections
        + (extensions ? ", with extensions" : ", without extensions");
  }
}
