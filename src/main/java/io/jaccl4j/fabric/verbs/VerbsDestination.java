package io.jaccl4j.fabric.verbs;

import io.jaccl4j.fabric.FabricException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a rank tells all others: its end of every wire that it is at. Little-endian.
 *
 * <pre>
 * 0    version     int8
 * 1    type        int8    of the queue pairs
 * 2    ends        int16
 * then per end
 * 0    wire        int32
 * 4    mtu         int8    active MTU of the port
 * 5    name bytes  int8
 * 6    address     32 bytes
 * 38   device      UTF-8
 * </pre>
 *
 * @param queuePairType of the header's types
 * @param ends by number of the wire
 */
record VerbsDestination(int queuePairType, Map<Integer, End> ends) {
  private static final byte VERSION = 1;
  private static final int HEADER_BYTES = 4;
  private static final int END_BYTES = 6 + QueuePairAddress.BYTES;

  /** One end of a wire. */
  record End(String device, int activeMtu, QueuePairAddress address) {}

  byte[] encode() {
    int bytes = HEADER_BYTES;
    for (End end : ends.values()) {
      bytes += END_BYTES + name(end).length;
    }
    ByteBuffer buffer = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    buffer.put(VERSION).put((byte) queuePairType).putShort((short) ends.size());
    ends.forEach(
        (wire, end) -> {
          buffer.putInt(wire).put((byte) end.activeMtu()).put((byte) name(end).length);
          end.address().encode(buffer);
          buffer.put(name(end));
        });
    return buffer.array();
  }

  private static byte[] name(End end) {
    return end.device().getBytes(StandardCharsets.UTF_8);
  }

  static VerbsDestination decode(int rank, byte[] bytes) {
    try {
      ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
      byte version = buffer.get();
      if (version != VERSION) {
        throw new FabricException(
            rank,
            "rank "
                + rank
                + " tells its queue pairs in version "
                + version
                + ", want "
                + VERSION
                + "; run the same version on all ranks",
            null);
      }
      int type = buffer.get();
      int count = buffer.getShort();
      Map<Integer, End> ends = new LinkedHashMap<>();
      for (int i = 0; i < count; i++) {
        int wire = buffer.getInt();
        int mtu = buffer.get();
        byte[] name = new byte[Byte.toUnsignedInt(buffer.get())];
        QueuePairAddress address = QueuePairAddress.decode(buffer);
        buffer.get(name);
        ends.put(wire, new End(new String(name, StandardCharsets.UTF_8), mtu, address));
      }
      return new VerbsDestination(type, ends);
    } catch (BufferUnderflowException e) {
      throw new FabricException(
          rank, "rank " + rank + " tells its queue pairs in only " + bytes.length + " bytes", e);
    }
  }
}
