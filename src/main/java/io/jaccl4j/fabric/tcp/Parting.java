package io.jaccl4j.fabric.tcp;

import io.jaccl4j.fabric.FabricException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The end of connections in good order: what was posted leaves, then a farewell; then this rank
 * reads, until the peer ends too or the time is up. To close a socket with something unread in it
 * would reset the connection, and the peer could lose what was sent to it last.
 */
final class Parting {
  private static final Logger LOG = LoggerFactory.getLogger(Parting.class);

  private static final long LIMIT_NANOS = 500_000_000;
  private static final long PAUSE_NANOS = 50_000;
  private static final int SINK_BYTES = 64 * 1024;

  private final LongSupplier nanoClock;
  private final ByteBuffer sink = ByteBuffer.allocateDirect(SINK_BYTES);

  Parting(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /** One connection on its way to its end. */
  private final class Leave {
    private final Connection connection;
    private final Outbox outbox;
    private boolean said;
    private boolean over;

    Leave(Connection connection, Outbox outbox) {
      this.connection = connection;
      this.outbox = outbox;
    }

    void go() {
      try {
        if (!said && outbox.flushFarewell()) {
          said = true;
          connection.shutdownOutput();
        }
        int bytes = connection.read(sink.clear());
        while (bytes > 0) {
          bytes = connection.read(sink.clear());
        }
        over = bytes < 0 && said;
      } catch (FabricException e) {
        // The peer has gone the hard way; nothing can reach it any more.
        LOG.debug("While parting", e);
        over = true;
      }
    }
  }

  /** Ends connections, in bounded time. They are to be closed after that. */
  void run(List<TcpLink> links) {
    List<Leave> leaves = new ArrayList<>();
    for (TcpLink link : links) {
      for (int socket = 0; socket < link.sockets(); socket++) {
        leaves.add(new Leave(link.connection(socket), link.outbox(socket)));
      }
    }
    long untilNanos = nanoClock.getAsLong() + LIMIT_NANOS;
    while (!leaves.isEmpty() && nanoClock.getAsLong() - untilNanos < 0) {
      leaves.forEach(Leave::go);
      leaves.removeIf(leave -> leave.over);
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }
}
