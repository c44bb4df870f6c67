package io.jaccl4j.sidechannel;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Set;
import jdk.net.ExtendedSocketOptions;

/**
 * A non-blocking connection that reads ahead, so that its end is noticed even with bytes before it.
 * One thread at a time.
 */
final class PeerConnection implements AutoCloseable {
  private static final int READ_AHEAD_BYTES = 4096;
  private static final int KEEP_ALIVE_IDLE_SECONDS = 10;
  private static final int KEEP_ALIVE_INTERVAL_SECONDS = 5;
  private static final int KEEP_ALIVE_COUNT = 3;

  private final SocketChannel channel;
  private final String address;
  private final SelectionKey key;

  /** Bytes from 0 to the position are those received and not taken. */
  private ByteBuffer inbound = ByteBuffer.allocate(READ_AHEAD_BYTES);

  private ByteBuffer outbound = ByteBuffer.allocate(0);

  /** Why nothing follows, or null. */
  private String end;

  PeerConnection(SocketChannel channel, Selector selector) throws IOException {
    this.channel = channel;
    this.address = SocketText.of(channel.getRemoteAddress());
    channel.configureBlocking(false);
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    keepAlive(channel);
    this.key = channel.register(selector, SelectionKey.OP_READ, this);
  }

  /** Notices a peer whose machine or cable is gone, which sends no end. */
  private static void keepAlive(SocketChannel channel) throws IOException {
    channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
    Set<?> options = channel.supportedOptions();
    if (options.contains(ExtendedSocketOptions.TCP_KEEPIDLE)) {
      channel.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, KEEP_ALIVE_IDLE_SECONDS);
      channel.setOption(ExtendedSocketOptions.TCP_KEEPINTERVAL, KEEP_ALIVE_INTERVAL_SECONDS);
      channel.setOption(ExtendedSocketOptions.TCP_KEEPCOUNT, KEEP_ALIVE_COUNT);
    }
  }

  /** Where the peer is, for people. */
  String address() {
    return address;
  }

  /** Reads what has arrived, up to {@code count} bytes and some ahead. */
  void fill(int count) {
    int wanted = Math.max(count, READ_AHEAD_BYTES);
    if (inbound.capacity() < wanted) {
      inbound = ByteBuffer.allocate(wanted).put(inbound.flip());
    }
    try {
      int read = 1;
      while (end == null && read > 0 && inbound.hasRemaining()) {
        read = channel.read(inbound);
      }
      if (read < 0) {
        end = "closed the connection";
      }
    } catch (IOException e) {
      end = "dropped the connection (" + e.getMessage() + ")";
    }
    // A peer that sends more than anybody asked for must not keep the selector busy.
    boolean wantsMore = end == null && inbound.hasRemaining();
    key.interestOps(
        (wantsMore ? SelectionKey.OP_READ : 0)
            | (outbound.hasRemaining() ? SelectionKey.OP_WRITE : 0));
  }

  /** Bytes received and not taken. */
  int available() {
    return inbound.position();
  }

  /** A received byte, from 0 below {@link #available}. */
  byte peek(int index) {
    return inbound.get(index);
  }

  /** Takes received bytes. */
  void take(byte[] target, int offset, int count) {
    inbound.flip().get(target, offset, count);
    inbound.compact();
    if (end == null) {
      key.interestOpsOr(SelectionKey.OP_READ);
    }
  }

  byte[] take(int count) {
    byte[] bytes = new byte[count];
    take(bytes, 0, count);
    return bytes;
  }

  /** Queues bytes after those not yet sent, and sends what the socket takes. */
  void send(byte[] bytes) {
    if (outbound.hasRemaining()) {
      outbound =
          ByteBuffer.allocate(outbound.remaining() + bytes.length).put(outbound).put(bytes).flip();
    } else {
      outbound = ByteBuffer.wrap(bytes);
    }
    flush();
  }

  /** Sends what the socket takes. */
  void flush() {
    if (end != null || !outbound.hasRemaining()) {
      return;
    }
    try {
      channel.write(outbound);
      if (outbound.hasRemaining()) {
        key.interestOpsOr(SelectionKey.OP_WRITE);
      } else {
        key.interestOpsAnd(~SelectionKey.OP_WRITE);
      }
    } catch (IOException e) {
      end = "dropped the connection (" + e.getMessage() + ")";
    }
  }

  boolean hasUnsent() {
    return outbound.hasRemaining();
  }

  /** Whether nothing follows what was received. */
  boolean isEnded() {
    return end != null;
  }

  /** How it ended, for people. */
  String end() {
    return end;
  }

  @Override
  public void close() {
    key.cancel();
    try {
      channel.close();
    } catch (IOException _) {
      // Nothing can be done about a socket that does not close.
    }
  }
}
