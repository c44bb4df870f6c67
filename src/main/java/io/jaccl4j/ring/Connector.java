package io.jaccl4j.ring;

import io.jaccl4j.FormationException;
import io.jaccl4j.FormationException.Reason;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnsupportedAddressTypeException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * One connection to the right neighbour while it is being made. Tries again after every failure,
 * because a neighbour that is not there yet, or whose link is just coming up, looks like one that
 * will never be. An attempt under way is never given up for a new one: the neighbour accepts one
 * connection per address, and it might be the one given up.
 */
final class Connector {
  private static final long FIRST_PAUSE_NANOS = Duration.ofMillis(20).toNanos();
  private static final long LONGEST_PAUSE_NANOS = Duration.ofSeconds(1).toNanos();

  private final int peer;
  private final int index;
  private final InetSocketAddress address;
  private final Selector selector;
  private SocketChannel channel;
  private Handshake handshake;
  private boolean isConnected;
  private boolean isDone;
  private long pauseNanos = FIRST_PAUSE_NANOS;
  private long nextNanos = Long.MIN_VALUE;
  private int attempts;
  private String lastFailure = "no answer";

  Connector(int peer, int index, InetSocketAddress address, Selector selector) {
    this.peer = peer;
    this.index = index;
    this.address = address;
    this.selector = selector;
  }

  int index() {
    return index;
  }

  InetSocketAddress address() {
    return address;
  }

  SocketChannel channel() {
    return channel;
  }

  boolean isDone() {
    return isDone;
  }

  void done() {
    isDone = true;
  }

  Handshake handshake() {
    return handshake;
  }

  void handshake(Handshake newHandshake) {
    handshake = newHandshake;
    lastFailure = "";
  }

  boolean isDue(long nowNanos) {
    return !isDone && channel == null && (nextNanos == Long.MIN_VALUE || nowNanos - nextNanos >= 0);
  }

  /** Starts an attempt; whether it has succeeded already. */
  boolean attempt(long nowNanos) {
    attempts++;
    try {
      channel = SocketChannel.open();
      channel.configureBlocking(false);
      channel.register(selector, SelectionKey.OP_CONNECT, this);
      return channel.connect(address) && connected(nowNanos);
    } catch (IOException e) {
      failed(e.getMessage(), nowNanos);
      return false;
    } catch (UnsupportedAddressTypeException e) {
      throw new FormationException(
          Reason.FABRIC,
          "this host has no sockets for the address of "
              + describe()
              + "; give an address of another family",
          e);
    }
  }

  /** Whether the attempt under way has succeeded. */
  boolean finish(long nowNanos) {
    try {
      return channel.finishConnect() && connected(nowNanos);
    } catch (IOException e) {
      failed(e.getMessage(), nowNanos);
      return false;
    }
  }

  private boolean connected(long nowNanos) throws IOException {
    if (channel.getLocalAddress().equals(channel.getRemoteAddress())) {
      // Where nobody listens on a port that the kernel also hands out, a socket can meet itself.
      failed("Connection refused", nowNanos);
      return false;
    }
    isConnected = true;
    return true;
  }

  boolean isConnected() {
    return isConnected;
  }

  /** The attempt has failed; another one is due later. */
  void failed(String why, long nowNanos) {
    lastFailure = why;
    isConnected = false;
    handshake = null;
    close();
    long jitterNanos = ThreadLocalRandom.current().nextLong(pauseNanos / 4);
    nextNanos = nowNanos + pauseNanos + jitterNanos;
    pauseNanos = Math.min(2 * pauseNanos, LONGEST_PAUSE_NANOS);
  }

  void close() {
    if (channel == null) {
      return;
    }
    try {
      channel.close();
    } catch (IOException e) {
      throw new IllegalStateException("a socket cannot be closed: " + e, e);
    }
    channel = null;
  }

  String describe() {
    return "rank " + peer + " at " + RingHosts.text(address);
  }

  /** For errors: how it went so far. */
  String progress(String elapsed) {
    if (handshake != null) {
      return describe() + " accepted a connection but " + handshake.awaiting();
    }
    return describe()
        + " did not answer ("
        + attempts
        + (attempts == 1 ? " attempt, " : " attempts, ")
        + elapsed
        + (lastFailure.isEmpty() ? "" : ", last: " + lastFailure)
        + ")";
  }
}
