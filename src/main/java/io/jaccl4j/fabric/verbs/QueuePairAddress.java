package io.jaccl4j.fabric.verbs;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * What a peer must know to connect a queue pair to this one: JACCL's {@code Destination}, 32 bytes,
 * little-endian.
 *
 * <pre>
 * 0    lid      int32   0 on Ethernet and Thunderbolt, -1 in an entry without a connection
 * 4    number   int32   of the queue pair
 * 8    psn      int32   number of the first packet
 * 12   0        4 bytes
 * 16   gid      16 bytes in network order
 * </pre>
 */
record QueuePairAddress(int lid, int number, int psn, byte[] gid) {
  static final int BYTES = 32;

  void encode(ByteBuffer buffer) {
    buffer.order(ByteOrder.LITTLE_ENDIAN).putInt(lid).putInt(number).putInt(psn).putInt(0).put(gid);
  }

  static QueuePairAddress decode(ByteBuffer buffer) {
    buffer.order(ByteOrder.LITTLE_ENDIAN);
    int lid = buffer.getInt();
    int number = buffer.getInt();
    int psn = buffer.getInt();
    buffer.getInt();
    byte[] gid = new byte[Gid.BYTES];
    buffer.get(gid);
    return new QueuePairAddress(lid, number, psn, gid);
  }

  /** JACCL's rule: a global route where the lower half of the GID says something. */
  boolean isGlobal() {
    for (int i = Gid.BYTES / 2; i < Gid.BYTES; i++) {
      if (gid[i] != 0) {
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof QueuePairAddress address
        && address.lid == lid
        && address.number == number
        && address.psn == psn
        && Arrays.equals(address.gid, gid);
  }

  @Override
  public int hashCode() {
    return 31 * number + Arrays.hashCode(gid);
  }

  @Override
  public String toString() {
    return "queue pair "
        + number
        + ", psn "
        + psn
        + ", "
        + (isGlobal() ? "gid " + Gid.address(gid) : "lid " + lid);
  }
}
