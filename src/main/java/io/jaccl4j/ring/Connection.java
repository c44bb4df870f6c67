package io.jaccl4j.ring;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;

/**
 * One socket to a neighbour, non-blocking. Owned by the ring's thread.
 *
 * <p>Data that no operation has asked for stays in the kernel, which holds the sender back; only a
 * few bytes of it are taken in advance, because reading is the one way to learn that the neighbour
 * is gone.
 */
final class Connection {
  private static final int EARLY_BYTES = 4096;

  private final SocketChannel channel;
  private final SelectionKey key;
  private final Side side;
  private final int index;
  private final int peer;
  private final InetSocketAddress address;
  private final ByteBuffer early = ByteBuffer.allocateDirect(EARLY_BYTES).limit(0);

  /** The neighbour's first bytes are data, unless it has other options than this rank. */
  private boolean mayBeginWithIntroduction;

  private boolean ended;
  private IOException reset;

  /**
   * @param key of the channel in the ring's selector
   * @param address where the neighbour, or this rank for its left one, accepts
   */
  Connection(
      SocketChannel channel,
      SelectionKey key,
      Side side,
      int index,
      int peer,
      InetSocketAddress address)
      throws IOException {
    this.channel = channel;
    this.key = key;
    this.side = side;
    this.index = index;
    this.peer = peer;
    this.address = address;
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
    key.attach(this);
    key.interestOps(0);
  }

  Side side() {
    return side;
  }

  /** Number among the connections of its side. */
  int index() {
    return index;
  }

  int peer() {
    return peer;
  }

  /** The neighbour's address in the hostfile. */
  String address() {
    return RingHosts.text(address);
  }

  String describe() {
    return "rank " + peer + " (" + address() + ")";
  }

  /**
   * Reads what is there.
   *
   * @return bytes read, possibly 0
   */
  int read(ByteBuffer destination) {
    if (mayBeginWithIntroduction) {
      probe();
      refuseIntroduction();
    }
    if (early.hasRemaining()) {
      return takeEarly(destination);
    }
    checkNotEnded();
    int bytes = receive(destination);
    checkNotEnded();
    return bytes;
  }

  /** Nothing is agreed on with this neighbour: what it sends must not be an introduction. */
  void expectNoIntroduction() {
    mayBeginWithIntroduction = true;
  }

  private void refuseIntroduction() {
    if (!early.hasRemaining()) {
      return;
    }
    mayBeginWithIntroduction = false;
    if (Introduction.isBegunBy(early)) {
      throw new MismatchException(
          peer,
          describe()
              + " introduces itself, so it has a key or extensions, which this rank has not; give"
              + " all ranks of the ring the same options");
    }
  }

  private int takeEarly(ByteBuffer destination) {
    int bytes = Math.min(early.remaining(), destination.remaining());
    destination.put(destination.position(), early, early.position(), bytes);
    destination.position(destination.position() + bytes);
    early.position(early.position() + bytes);
    if (!early.hasRemaining()) {
      early.position(0).limit(0);
    }
    return bytes;
  }

  private int receive(ByteBuffer destination) {
    try {
      int bytes = channel.read(destination);
      ended = bytes < 0;
      return Math.max(0, bytes);
    } catch (IOException e) {
      ended = true;
      reset = e;
      return 0;
    }
  }

  /**
   * Writes what the kernel takes.
   *
   * @return bytes written, possibly 0
   */
  int write(ByteBuffer source) {
    try {
      return channel.write(source);
    } catch (IOException e) {
      ended = true;
      reset = e;
      throw lost();
    }
  }

  /** Whether {@link #probe} can do anything. */
  boolean canProbe() {
    return !ended && early.limit() < early.capacity();
  }

  /** Takes a little of what is there in advance, to see whether the neighbour is. */
  void probe() {
    if (!canProbe()) {
      return;
    }
    int from = early.position();
    int to = early.limit();
    early.limit(early.capacity()).position(to);
    receive(early);
    early.limit(early.position()).position(from);
  }

  /** Whether the neighbour is gone and has left nothing to be read. */
  boolean isLost() {
    return ended && !early.hasRemaining();
  }

  private void checkNotEnded() {
    if (ended) {
      throw lost();
    }
  }

  ConnectionLostException lost() {
    String how =
        reset == null
            ? "closed its connection"
            : reset instanceof ClosedChannelException
                ? "lost its connection, which was closed on this side"
                : "broke its connection (" + reset.getMessage() + ")";
    return new ConnectionLostException(
        this, describe() + " " + how + "; see that rank's log, then form a new ring", reset);
  }

  void interest(int operations) {
    if (key.isValid() && key.interestOps() != operations) {
      key.interestOps(operations);
    }
  }

  void close() {
    try {
      channel.close();
    } catch (IOException e) {
      // The descriptor is gone either way, and whoever closes has a better reason to report.
      reset = e;
    }
  }
}
