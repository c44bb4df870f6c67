package io.jaccl4j.ring;

import java.lang.foreign.Arena;
import java.nio.channels.SelectionKey;
import java.util.ArrayList;
import java.util.List;

/**
 * An operation over the connections to both neighbours: at most one stream per connection and
 * direction. One instance serves all operations of a ring, one after the other. Owned by the ring's
 * thread.
 */
final class DirectTransfer implements Activity {
  /** What one reduction works on: it should fit in a core's own cache, twice. */
  private static final long SCRATCH_BYTES = 256 << 10;

  private static final long ALIGNMENT_BYTES = 64;

  private final int connections;
  private final List<SendStream> sends = new ArrayList<>();
  private final List<ReceiveStream> receives = new ArrayList<>();

  DirectTransfer(Neighbours neighbours, Arena arena) {
    connections = neighbours.left().size();
    for (Connection connection : neighbours.direct()) {
      sends.add(new SendStream(connection));
      receives.add(new ReceiveStream(connection, arena.allocate(SCRATCH_BYTES, ALIGNMENT_BYTES)));
    }
  }

  /** Forgets the operation before. */
  void clear() {
    for (int i = 0; i < sends.size(); i++) {
      sends.get(i).clear();
      receives.get(i).clear();
    }
  }

  SendStream send(Side side, int connection) {
    return sends.get(number(side, connection));
  }

  ReceiveStream receive(Side side, int connection) {
    return receives.get(number(side, connection));
  }

  private int number(Side side, int connection) {
    return side == Side.LEFT ? connection : connections + connection;
  }

  @Override
  public long advance() {
    long bytes = 0;
    for (int i = 0; i < sends.size(); i++) {
      bytes += sends.get(i).advance();
      bytes += receives.get(i).advance();
    }
    return bytes;
  }

  @Override
  public boolean isDone() {
    for (int i = 0; i < sends.size(); i++) {
      if (!sends.get(i).isDone() || !receives.get(i).isDone()) {
        return false;
      }
    }
    return true;
  }

  @Override
  public int interest(Connection connection) {
    int operations = 0;
    for (int i = 0; i < sends.size(); i++) {
      if (sends.get(i).connection() == connection) {
        operations |= sends.get(i).isReady() ? SelectionKey.OP_WRITE : 0;
        operations |= receives.get(i).isReady() ? SelectionKey.OP_READ : 0;
      }
    }
    return operations;
  }

  @Override
  public boolean needs(Connection connection) {
    for (int i = 0; i < sends.size(); i++) {
      if (sends.get(i).connection() == connection) {
        return !sends.get(i).isDone() || !receives.get(i).isDone();
      }
    }
    return false;
  }

  @Override
  public int awaitedPeer() {
    for (ReceiveStream stream : receives) {
      if (stream.isReady()) {
        return stream.connection().peer();
      }
    }
    for (SendStream stream : sends) {
      if (!stream.isDone()) {
        return stream.connection().peer();
      }
    }
    return -1;
  }

  @Override
  public String awaiting() {
    List<String> parts = new ArrayList<>();
    for (int i = 0; i < sends.size(); i++) {
      SendStream send = sends.get(i);
      ReceiveStream receive = receives.get(i);
      if (!receive.isDone()) {
        parts.add(
            "received "
                + receive.receivedBytes()
                + " of "
                + receive.totalBytes()
                + " bytes from "
                + describe(receive.connection()));
      }
      if (!send.isDone()) {
        parts.add(
            "sent "
                + send.sentBytes()
                + " of "
                + send.totalBytes()
                + " bytes to "
                + describe(send.connection()));
      }
    }
    return String.join(", ", parts);
  }

  private static String describe(Connection connection) {
    return connection.describe() + " over connection " + connection.index();
  }
}
