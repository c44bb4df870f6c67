package io.jaccl4j.sidechannel;

import io.jaccl4j.FormationException.Reason;
import java.io.IOException;
import java.nio.channels.Selector;

/** Waits for sockets in pieces, and ends when the channel is closed or the thread interrupted. */
final class SelectorWait implements AutoCloseable {
  private final Selector selector;
  private final Complaints complaints;
  private volatile boolean closed;

  SelectorWait(Complaints complaints) throws IOException {
    this.selector = Selector.open();
    this.complaints = complaints;
  }

  Selector selector() {
    return selector;
  }

  /** Returns when a socket is ready, or after a while. */
  void await(long millis, String phase) {
    throwIfClosed(phase);
    try {
      selector.select(Math.max(1, millis));
      selector.selectedKeys().clear();
    } catch (IOException e) {
      throw complaints.of(Reason.FABRIC, phase, "cannot wait for sockets: " + e, e);
    }
    if (Thread.currentThread().isInterrupted()) {
      throw complaints.interrupted(phase, null);
    }
    throwIfClosed(phase);
  }

  void throwIfClosed(String phase) {
    if (closed) {
      throw complaints.of(Reason.STOPPED, phase, "the channel was closed on this rank");
    }
  }

  /** Ends a wait under way, and all later ones. Any thread. */
  void stop() {
    closed = true;
    selector.wakeup();
  }

  @Override
  public void close() {
    stop();
    try {
      selector.close();
    } catch (IOException _) {
      // Nothing can be done about it.
    }
  }
}
