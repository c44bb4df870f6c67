package io.jaccl4j.collective;

import io.jaccl4j.WireMode;

/**
 * A transfer cut into messages: all of the class's size but the last, none if it is empty. On
 * JACCL's wire the last one is filled up to the class's size.
 */
final class Pieces {
  private final boolean wholeBuffers;
  private final int slotBytes;
  private long totalBytes;
  private int pieceBytes;
  private long count;

  Pieces(WireMode wire, int slotBytes) {
    this.wholeBuffers = wire == WireMode.MLX;
    this.slotBytes = slotBytes;
  }

  void cut(long bytes) {
    totalBytes = bytes;
    pieceBytes = BufferClass.messageBytes(bytes, slotBytes);
    count = (bytes + pieceBytes - 1) / pieceBytes;
  }

  long count() {
    return count;
  }

  long offset(long piece) {
    return piece * pieceBytes;
  }

  /** Payload of a message. */
  int bytes(long piece) {
    return (int) Math.min(pieceBytes, totalBytes - piece * pieceBytes);
  }

  /** Length of a message. */
  int wireBytes(long piece) {
    return wholeBuffers ? pieceBytes : bytes(piece);
  }

  /** Length of the longest message. */
  int capacity() {
    return pieceBytes;
  }
}
