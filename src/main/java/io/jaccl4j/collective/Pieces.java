package io.jaccl4j.collective;

/** A transfer cut into messages: all of the class's size but the last, none if it is empty. */
final class Pieces {
  private long totalBytes;
  private int pieceBytes;
  private long count;

  void cut(long bytes, int slotBytes) {
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

  int bytes(long piece) {
    return (int) Math.min(pieceBytes, totalBytes - piece * pieceBytes);
  }

  /** Most bytes that a message has. */
  int capacity() {
    return pieceBytes;
  }
}
