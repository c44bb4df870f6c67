package io.jaccl4j.ring;

import io.jaccl4j.FormationException;
import io.jaccl4j.FormationException.Reason;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * One address of this rank while its left neighbour connects to it. Whoever has to prove who it is
 * does not keep others from connecting meanwhile.
 */
final class Listener {
  /** More than this at once are not the neighbour; the oldest has had its chance. */
  private static final int MOST_CANDIDATES = 16;

  private final ServerSocketChannel channel;
  private final SelectionKey key;
  private final int index;
  private final InetSocketAddress address;
  private final Deque<Candidate> candidates = new ArrayDeque<>();
  private String refusal = "";

  /** A connection whose other end has not proved yet who it is. */
  record Candidate(
      Listener listener, SocketChannel channel, Handshake handshake, long untilNanos) {}

  Listener(int rank, int index, InetSocketAddress address, Selector selector) {
    this.index = index;
    this.address = address;
    ServerSocketChannel opened = null;
    try {
      opened = ServerSocketChannel.open();
      opened.setOption(StandardSocketOptions.SO_REUSEADDR, true);
      opened.bind(address);
      opened.configureBlocking(false);
      this.channel = opened;
      this.key = opened.register(selector, SelectionKey.OP_ACCEPT, this);
    } catch (IOException | RuntimeException e) {
      close(opened);
      throw new FormationException(
          Reason.FABRIC,
          "rank "
              + rank
              + " cannot accept connections at its address "
              + RingHosts.text(address)
              + ": "
              + (e.getMessage() == null ? e : e.getMessage())
              + "; see that the address is one of this host, that no other process has the port,"
              + " and that enough files may be open",
          e);
    }
  }

  int index() {
    return index;
  }

  InetSocketAddress address() {
    return address;
  }

  boolean isOpen() {
    return channel.isOpen();
  }

  /** The next connection, non-blocking, or null. */
  SocketChannel accept() throws IOException {
    SocketChannel accepted = channel.accept();
    if (accepted != null) {
      accepted.configureBlocking(false);
    }
    return accepted;
  }

  void add(Candidate candidate) {
    if (candidates.size() == MOST_CANDIDATES) {
      refuse(candidates.getFirst(), candidates.getFirst().handshake().awaiting());
    }
    candidates.add(candidate);
  }

  /** The candidate is the neighbour. */
  void remove(Candidate candidate) {
    candidates.remove(candidate);
  }

  void refuse(Candidate candidate, String why) {
    refusal = "refused a connection that " + why;
    candidates.remove(candidate);
    close(candidate.channel());
  }

  void refuseSlow(long nowNanos) {
    while (!candidates.isEmpty() && nowNanos - candidates.getFirst().untilNanos() >= 0) {
      refuse(candidates.getFirst(), candidates.getFirst().handshake().awaiting());
    }
  }

  /** For errors: who came instead of the neighbour, or the empty string. */
  String refusal() {
    return candidates.isEmpty()
        ? refusal
        : "a connection is there that " + candidates.getLast().handshake().awaiting();
  }

  void close() {
    key.cancel();
    candidates.forEach(candidate -> close(candidate.channel()));
    candidates.clear();
    close(channel);
  }

  private static void close(AutoCloseable closeable) {
    if (closeable == null) {
      return;
    }
    try {
      closeable.close();
    } catch (Exception e) {
      throw new IllegalStateException("a socket cannot be closed: " + e, e);
    }
  }
}
