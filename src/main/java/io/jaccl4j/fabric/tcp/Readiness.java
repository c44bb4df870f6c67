package io.jaccl4j.fabric.tcp;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;

/**
 * Sleeps on all sockets of a rank until one of them can move bytes that somebody awaits.
 *
 * <p>What a socket is asked for changes as late as possible, because every change costs a system
 * call: reading stays on until bytes come that nobody awaits yet.
 */
final class Readiness implements AutoCloseable {
  private final Selector selector;
  private final Watched[] sockets;

  /** One socket of a link. */
  private record Watched(TcpLink link, int socket, SelectionKey key) {

    void beforeSleep() {
      int now = key.interestOps();
      int wanted = link.awaitsBytes(socket) ? SelectionKey.OP_READ : now & SelectionKey.OP_READ;
      if (link.hasUnsentBytes(socket)) {
        wanted |= SelectionKey.OP_WRITE;
      }
      if (wanted != now) {
        key.interestOps(wanted);
      }
    }

    void onReady() {
      if (!link.awaitsBytes(socket)) {
        key.interestOps(key.interestOps() & ~SelectionKey.OP_READ);
      }
    }
  }

  Readiness(TcpLink[] links) {
    List<Watched> watched = new ArrayList<>();
    try {
      selector = Selector.open();
    } catch (IOException e) {
      throw new UncheckedIOException("no selector: " + SocketFailure.describe(e), e);
    }
    try {
      for (TcpLink link : links) {
        for (int socket = 0; socket < link.sockets(); socket++) {
          SelectionKey key = link.connection(socket).channel().register(selector, 0);
          Watched one = new Watched(link, socket, key);
          key.attach(one);
          watched.add(one);
        }
      }
    } catch (IOException e) {
      close();
      throw new UncheckedIOException(
          "a socket cannot be waited for: " + SocketFailure.describe(e), e);
    }
    sockets = watched.toArray(Watched[]::new);
  }

  /** Sleeps at most so long; returns at once if something can be moved now. */
  void await(long millis) {
    try {
      for (Watched watched : sockets) {
        watched.beforeSleep();
      }
      selector.select(key -> ((Watched) key.attachment()).onReady(), millis);
    } catch (IOException | CancelledKeyException e) {
      throw new IllegalStateException("the sockets of this rank cannot be waited for: " + e, e);
    }
  }

  @Override
  public void close() {
    try {
      selector.close();
    } catch (IOException e) {
      throw new UncheckedIOException("closing a selector failed", e);
    }
  }
}
