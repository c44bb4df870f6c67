package io.jaccl4j.ring;

/**
 * What one operation sends over one connection. Bytes may be sent once they are released: the first
 * ones at once, the rest as a {@link ReceiveStream} has received them. Owned by the ring's thread.
 */
final class SendStream {
  private final Connection connection;
  private final Pieces pieces = new Pieces();
  private long releasedBytes;

  SendStream(Connection connection) {
    this.connection = connection;
  }

  Connection connection() {
    return connection;
  }

  void clear() {
    pieces.clear();
    releasedBytes = 0;
  }

  void add(ByteWindows memory, long offset, long bytes) {
    pieces.add(memory, offset, bytes);
  }

  void release(long bytes) {
    releasedBytes += bytes;
  }

  boolean isDone() {
    return pieces.isDone();
  }

  /** Whether it waits for nothing but the kernel. */
  boolean isReady() {
    return !isDone() && pieces.doneBytes() < releasedBytes;
  }

  long sentBytes() {
    return pieces.doneBytes();
  }

  long totalBytes() {
    return pieces.totalBytes();
  }

  /** Hands bytes to the kernel; how many. */
  long advance() {
    if (!isReady()) {
      return 0;
    }
    long most = Math.min(pieces.remaining(), releasedBytes - pieces.doneBytes());
    int bytes = connection.write(pieces.memory().at(pieces.offset(), most));
    if (bytes > 0) {
      pieces.advance(bytes);
    }
    return bytes;
  }
}
