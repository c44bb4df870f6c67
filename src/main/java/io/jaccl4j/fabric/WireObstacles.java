package io.jaccl4j.fabric;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Wires that cannot be used, and why, as a rank tells the others. Little-endian.
 *
 * <pre>
 * 0    wires          int16
 * then per wire
 * 0    wire           int32
 * 4    obstacle bytes int16
 * 6    obstacle       UTF-8
 * </pre>
 *
 * @param byWire why, by number of the wire
 */
public record WireObstacles(Map<Integer, String> byWire) {
  private static final int MAX_OBSTACLE_BYTES = 1000;

  public WireObstacles {
    byWire = Collections.unmodifiableMap(new TreeMap<>(byWire));
  }

  /** For the other ranks. */
  public byte[] encode() {
    Map<Integer, byte[]> texts = new TreeMap<>();
    int bytes = Short.BYTES;
    for (Map.Entry<Integer, String> obstacle : byWire.entrySet()) {
      byte[] text = obstacle.getValue().getBytes(StandardCharsets.UTF_8);
      texts.put(obstacle.getKey(), Arrays.copyOf(text, Math.min(text.length, MAX_OBSTACLE_BYTES)));
      bytes += Integer.BYTES + Short.BYTES + texts.get(obstacle.getKey()).length;
    }
    ByteBuffer buffer = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    buffer.putShort((short) texts.size());
    texts.forEach((wire, text) -> buffer.putInt(wire).putShort((short) text.length).put(text));
    return buffer.array();
  }

  /** Why any of the ranks cannot use a wire, in the order of the ranks, which are named. */
  public static WireObstacles of(List<byte[]> contributions) {
    Map<Integer, String> all = new TreeMap<>();
    for (int rank = 0; rank < contributions.size(); rank++) {
      String who = "rank " + rank + ": ";
      decode(rank, contributions.get(rank))
          .byWire()
          .forEach((wire, why) -> all.merge(wire, who + why, (one, two) -> one + ", " + two));
    }
    return new WireObstacles(all);
  }

  /**
   * What a rank has told.
   *
   * @throws FabricException if that is cut short
   */
  public static WireObstacles decode(int rank, byte[] bytes) {
    try {
      ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
      Map<Integer, String> obstacles = new TreeMap<>();
      int count = Short.toUnsignedInt(buffer.getShort());
      for (int i = 0; i < count; i++) {
        int wire = buffer.getInt();
        byte[] text = new byte[Short.toUnsignedInt(buffer.getShort())];
        buffer.get(text);
        obstacles.put(wire, new String(text, StandardCharsets.UTF_8));
      }
      return new WireObstacles(obstacles);
    } catch (BufferUnderflowException e) {
      throw new FabricException(
          rank, "rank " + rank + " tells of its wires in only " + bytes.length + " bytes", e);
    }
  }
}
