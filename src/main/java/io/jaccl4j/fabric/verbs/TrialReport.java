package io.jaccl4j.fabric.verbs;

import io.jaccl4j.fabric.FabricException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a rank tells the others of a trial: the wires that it could not prove. Little-endian.
 *
 * <pre>
 * 0    wires          int16
 * then per wire
 * 0    wire           int32
 * 4    obstacle bytes int16
 * 6    obstacle       UTF-8
 * </pre>
 *
 * @param obstacles by number of the wire
 */
record TrialReport(Map<Integer, String> obstacles) {
  private static final int MAX_OBSTACLE_BYTES = 1000;

  byte[] encode() {
    Map<Integer, byte[]> texts = new TreeMap<>();
    int bytes = Short.BYTES;
    for (Map.Entry<Integer, String> obstacle : obstacles.entrySet()) {
      byte[] text = obstacle.getValue().getBytes(StandardCharsets.UTF_8);
      texts.put(obstacle.getKey(), Arrays.copyOf(text, Math.min(text.length, MAX_OBSTACLE_BYTES)));
      bytes += Integer.BYTES + Short.BYTES + texts.get(obstacle.getKey()).length;
    }
    ByteBuffer buffer = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    buffer.putShort((short) texts.size());
    texts.forEach((wire, text) -> buffer.putInt(wire).putShort((short) text.length).put(text));
    return buffer.array();
  }

  static TrialReport decode(int rank, byte[] bytes) {
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
      return new TrialReport(obstacles);
    } catch (BufferUnderflowException e) {
      throw new FabricException(
          rank, "rank " + rank + " tells of its wires in only " + bytes.length + " bytes", e);
    }
  }
}
