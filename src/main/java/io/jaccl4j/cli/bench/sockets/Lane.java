package io.jaccl4j.cli.bench.sockets;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** One socket in both directions, and how much is still to move on it. */
final class Lane implements AutoCloseable {
  /** More than any cache holds: the bytes of an operation come from memory too. */
  private static final int MAX_WINDOW_BYTES = 32 << 20;

  private final SocketChannel channel;
  private final int peer;
  private final ByteBuffer outgoing;
  private final ByteBuffer incoming;
  private long bytesToSend;
  private long bytesToReceive;

  /**
   * A lane.
   *
   * @param channel connected, not blocking
   * @param maxBytes in one direction at once
   */
  Lane(SocketChannel channel, int peer, long maxBytes) {
    int windowBytes = Math.clamp(maxBytes, 1, MAX_WINDOW_BYTES);
    this.channel = channel;
    this.peer = peer;
    this.outgoing = ByteBuffer.allocateDirect(windowBytes);
    this.incoming = ByteBuffer.allocateDirect(windowBytes);
    outgoing.position(windowBytes);
    incoming.position(windowBytes);
  }

  int peer() {
    return peer;
  }

  void begin(long newBytesToSend, long newBytesToReceive) {
    bytesToSend = newBytesToSend;
    bytesToReceive = newBytesToReceive;
  }

  boolean isDone() {
    return bytesToSend == 0 && bytesToReceive == 0;
  }

  /** Moves what the kernel takes and has, and returns how much. */
  long advance() {
    try {
      long moved = 0;
      if (bytesToSend > 0) {
        int sent = channel.write(window(outgoing, bytesToSend));
        bytesToSend -= sent;
        moved += sent;
      }
      if (bytesToReceive > 0) {
        int received = channel.read(window(incoming, bytesToReceive));
        if (received < 0) {
          throw new IOException(
              "closed by the peer with " + bytesToReceive + " bytes still to come");
        }
        bytesToReceive -= received;
        moved += received;
      }
      return moved;
    } catch (IOException e) {
      throw new UncheckedIOException("raw socket to rank " + peer + ": " + e.getMessage(), e);
    }
  }

  /** From where the last call stopped, and again from the start at the end. */
  private static ByteBuffer window(ByteBuffer buffer, long bytes) {
    int start = buffer.position() == buffer.capacity() ? 0 : buffer.position();
    return buffer.limit((int) Math.min(buffer.capacity(), start + bytes)).position(start);
  }

  @Override
  public String toString() {
    return bytesToSend + " bytes for and " + bytesToReceive + " bytes from rank " + peer;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
