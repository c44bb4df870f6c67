package io.jaccl4j.fabric.tcp;

import io.jaccl4j.GroupMember;
import io.jaccl4j.fabric.FabricException;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** One non-blocking socket to a peer whose identity is proven; names both ends in errors. */
final class Connection {
  private final SocketChannel channel;
  private final GroupMember peer;
  private final String description;
  private long bytesMoved;

  /**
   * A connection.
   *
   * @param local this end
   * @param remote the peer's end
   */
  Connection(
      SocketChannel channel,
      GroupMember peer,
      int wire,
      int socket,
      SocketAddress local,
      SocketAddress remote) {
    this.channel = channel;
    this.peer = peer;
    this.description =
        "wire "
            + wire
            + ", socket "
            + socket
            + ", "
            + Endpoints.describe(local)
            + " to "
            + peer
            + " at "
            + Endpoints.describe(remote);
  }

  /** Reads what is there; -1 at the end of the stream. */
  int read(ByteBuffer into) {
    try {
      int bytes = channel.read(into);
      bytesMoved += Math.max(0, bytes);
      return bytes;
    } catch (IOException e) {
      throw failed("reading", e);
    }
  }

  /** Writes what the kernel takes. */
  int write(ByteBuffer from) {
    try {
      int bytes = channel.write(from);
      bytesMoved += bytes;
      return bytes;
    } catch (IOException e) {
      throw failed("writing", e);
    }
  }

  /** Bytes read and written so far. */
  long bytesMoved() {
    return bytesMoved;
  }

  /** Tells the peer that nothing follows. */
  void shutdownOutput() {
    try {
      channel.shutdownOutput();
    } catch (IOException e) {
      throw failed("shutting down", e);
    }
  }

  private FabricException failed(String action, IOException cause) {
    return failure(action + " failed: " + SocketFailure.describe(cause), cause);
  }

  /** A failure of this connection that the operating system does not tell. */
  FabricException broken(String what) {
    return failure(what, null);
  }

  private FabricException failure(String what, IOException cause) {
    return new FabricException(peer.rank(), "tcp " + description + ": " + what, cause);
  }

  SocketChannel channel() {
    return channel;
  }

  void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw failed("closing", e);
    }
  }
}
