package io.jaccl4j.fabric.shm;

import io.jaccl4j.fabric.FabricException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * What rank 0 tells the others: where its file is and which token it holds. Other ranks tell an
 * empty path.
 *
 * <pre>
 * 0    version   int8
 * 1    token     16 bytes
 * 17   path      UTF-8, to the end
 * </pre>
 */
record ShmDestination(byte[] token, String path) {
  private static final byte VERSION = 1;

  byte[] encode() {
    byte[] text = path.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(1 + token.length + text.length)
        .put(VERSION)
        .put(token)
        .put(text)
        .array();
  }

  static ShmDestination decode(int rank, byte[] bytes) {
    try {
      ByteBuffer buffer = ByteBuffer.wrap(bytes);
      byte version = buffer.get();
      if (version != VERSION) {
        throw new FabricException(
            rank,
            "destination has version "
                + version
                + ", want "
                + VERSION
                + "; run the same version on all ranks",
            null);
      }
      byte[] token = new byte[ShmLayout.TOKEN_BYTES];
      buffer.get(token);
      return new ShmDestination(token, StandardCharsets.UTF_8.decode(buffer).toString());
    } catch (BufferUnderflowException e) {
      throw new FabricException(rank, "destination has only " + bytes.length + " bytes", e);
    }
  }

  Path file() {
    return Path.of(path);
  }
}
