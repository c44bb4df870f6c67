package io.jaccl4j.ring;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;

/**
 * The sockets of one ring while its thread has nothing to do: sleeps until one of them is ready or
 * another thread wants something, and notices neighbours that are gone.
 */
final class Sockets {
  private final Selector selector;
  private final Connection[] all;
  private volatile boolean sleeping;

  Sockets(Selector selector, Neighbours neighbours) {
    this.selector = selector;
    this.all = neighbours.all().toArray(Connection[]::new);
  }

  /** Any thread: ends a sleep, or the next one if there is none. */
  void wake() {
    // A thread about to sleep says so before it looks for work the last time.
    if (sleeping) {
      selector.wakeup();
    }
  }

  /** Announces a sleep. Look for work after it, and then sleep or {@link #stayAwake}. */
  void aboutToSleep() {
    sleeping = true;
  }

  void stayAwake() {
    sleeping = false;
  }

  /**
   * Sleeps, at most so long.
   *
   * @param activity what is under way, or null
   * @param relay what is passed on for others meanwhile, or null
   */
  void sleep(Activity activity, Relay relay, long millis) {
    for (Connection connection : all) {
      int operations = connection.canProbe() ? SelectionKey.OP_READ : 0;
      operations |= activity == null ? 0 : activity.interest(connection);
      operations |= relay == null ? 0 : relay.interest(connection);
      connection.interest(operations);
    }
    try {
      selector.select(
          key -> {
            if (key.isReadable() && key.attachment() instanceof Connection connection) {
              probe(connection, activity, relay);
            }
          },
          Math.max(1, millis));
    } catch (IOException e) {
      throw new IllegalStateException("the sockets of this ring cannot be waited for: " + e, e);
    } finally {
      sleeping = false;
    }
  }

  private static void probe(Connection connection, Activity activity, Relay relay) {
    boolean awaited =
        activity != null && (activity.interest(connection) & SelectionKey.OP_READ) != 0
            || relay != null && (relay.interest(connection) & SelectionKey.OP_READ) != 0;
    if (!awaited) {
      connection.probe();
    }
  }

  /** A connection whose neighbour is gone and that something needs, or null. */
  Connection lost(Activity activity) {
    for (Connection connection : all) {
      if (connection.isLost() && activity.needs(connection)) {
        return connection;
      }
    }
    return null;
  }

  /** A connection whose neighbour is gone and has left nothing to be read, or null. */
  Connection lost() {
    for (Connection connection : all) {
      if (connection.isLost()) {
        return connection;
      }
    }
    return null;
  }

  void close() {
    for (Connection connection : all) {
      connection.close();
    }
    try {
      selector.close();
    } catch (IOException e) {
      throw new IllegalStateException("the selector of this ring cannot be closed: " + e, e);
    }
  }
}
