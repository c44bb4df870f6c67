package io.jaccl4j.ring;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * One of the two relay connections: frames in, and a queue of frames out. A connection that is lost
 * stays silent here; whoever needs it finds out. Ring's thread only.
 */
final class RelayLink {
  private final Connection connection;
  private final int size;
  private final Deque<RelayFrame> outgoing = new ArrayDeque<>();
  private final Deque<RelayFrame> unused;
  private RelayFrame incoming;

  /**
   * @param unused frames to be taken and given back, shared by the links of a rank
   */
  RelayLink(Connection connection, int size, Deque<RelayFrame> unused) {
    this.connection = connection;
    this.size = size;
    this.unused = unused;
    this.incoming = new RelayFrame().clear();
  }

  Connection connection() {
    return connection;
  }

  boolean hasOutgoing() {
    return !outgoing.isEmpty();
  }

  int outgoingFrames() {
    return outgoing.size();
  }

  void send(RelayFrame frame) {
    outgoing.add(frame);
  }

  /** A frame that has arrived whole, or null; it belongs to the caller. */
  RelayFrame receive() {
    if (connection.isLost()) {
      return null;
    }
    try {
      while (!incoming.isReceived(size, connection.peer())) {
        if (connection.read(incoming.bytes()) == 0) {
          return null;
        }
      }
    } catch (ConnectionLostException e) {
      return null;
    }
    RelayFrame received = incoming;
    RelayFrame next = unused.poll();
    incoming = (next == null ? new RelayFrame() : next).clear();
    return received;
  }

  /** Hands queued frames to the kernel; how many bytes. */
  long flush() {
    long bytes = 0;
    while (!outgoing.isEmpty() && !connection.isLost()) {
      RelayFrame frame = outgoing.getFirst();
      try {
        bytes += connection.write(frame.bytes());
      } catch (ConnectionLostException e) {
        return bytes;
      }
      if (frame.bytes().hasRemaining()) {
        return bytes;
      }
      unused.add(outgoing.removeFirst());
    }
    return bytes;
  }
}
