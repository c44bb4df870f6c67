package io.jaccl4j.multinode;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Stands before the cluster's port of this node and lets through only so many bytes a second of
 * what the others send. To them its port is the node's. It lives as long as the process.
 */
public final class NodeRelay {
  /** As fast as it goes. */
  public static final long UNLIMITED = Long.MAX_VALUE;

  private static final int CHUNK_BYTES = 512;
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

  private final ServerSocket listening;
  private final int targetPort;

  // Guarded by this.
  private long bytesPerSecond = UNLIMITED;
  private long freeAtNanos;
  private long delayedNanos;

  private NodeRelay(ServerSocket listening, int targetPort) {
    this.listening = listening;
    this.targetPort = targetPort;
  }

  /** Begins to listen, for a node that will have a port of its own. */
  public static NodeRelay start() {
    try (ServerSocket free = new ServerSocket(0, 1, LOOPBACK)) {
      return start(free.getLocalPort());
    } catch (IOException e) {
      throw new UncheckedIOException("no free port on loopback", e);
    }
  }

  static NodeRelay start(int targetPort) throws IOException {
    NodeRelay relay = new NodeRelay(new ServerSocket(0, 50, LOOPBACK), targetPort);
    Thread.ofVirtual().name("relay").start(relay::accept);
    return relay;
  }

  /** Where it listens. */
  public int port() {
    return listening.getLocalPort();
  }

  /** The node listens behind it and calls itself by its port. */
  Config config() {
    return ConfigFactory.parseString(
        "pekko.remote.artery { canonical.port = %d, bind { hostname = \"%s\", port = %d } }"
            .formatted(port(), LOOPBACK.getHostAddress(), targetPort));
  }

  /** From now on, for all connections together, what already waits included. */
  public synchronized void limit(long newBytesPerSecond) {
    bytesPerSecond = newBytesPerSecond;
    freeAtNanos = System.nanoTime();
  }

  /** How long bytes have waited for their turn, all together. */
  public synchronized long delayedNanos() {
    return delayedNanos;
  }

  private void accept() {
    try {
      while (true) {
        Socket outer = listening.accept();
        Thread.ofVirtual().name("relay").start(() -> relay(outer));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the relay does not listen any more", e);
    }
  }

  private void relay(Socket outer) {
    try (outer;
        Socket inner = new Socket(LOOPBACK, targetPort)) {
      Thread back = Thread.ofVirtual().name("relay").start(() -> copy(inner, outer, false));
      copy(outer, inner, true);
      back.join();
    } catch (IOException | InterruptedException e) {
      // As if the node were not there: whoever has called tries again.
    }
  }

  private void copy(Socket from, Socket to, boolean limited) {
    byte[] chunk = new byte[CHUNK_BYTES];
    try (InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream()) {
      for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
        if (limited) {
          awaitTurn(read);
        }
        out.write(chunk, 0, read);
        out.flush();
      }
    } catch (IOException e) {
      // One end is gone; closing the streams tells the other.
    }
  }

  private void awaitTurn(int bytes) {
    long sinceNanos = System.nanoTime();
    while (!isTurn(bytes, sinceNanos)) {
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  /** Looks at the limit each time, since that may change while someone waits. */
  private synchronized boolean isTurn(int bytes, long sinceNanos) {
    long nowNanos = System.nanoTime();
    if (bytesPerSecond == UNLIMITED) {
      return true;
    }
    if (freeAtNanos - nowNanos > 0) {
      return false;
    }
    freeAtNanos = nowNanos + TimeUnit.SECONDS.toNanos(bytes) / bytesPerSecond;
    delayedNanos += nowNanos - sinceNanos;
    return true;
  }
}
