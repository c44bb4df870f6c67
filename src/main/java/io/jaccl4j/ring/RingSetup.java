package io.jaccl4j.ring;

import io.jaccl4j.FormationException;
import io.jaccl4j.FormationException.Reason;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Makes the connections of one rank, within one deadline. MLX accepts from the left and connects to
 * the right one after the other and one address at a time, the last rank in the opposite order;
 * here all of it happens at once, which none of the neighbours can tell, so that ranks may come in
 * any order. Ring's thread only.
 *
 * <p>With a key or extensions, every connection begins with a {@link Handshake}. With extensions
 * and more than three ranks there is one connection more to the first address, made after the
 * others to it.
 */
final class RingSetup {
  private static final Logger LOG = LoggerFactory.getLogger(RingSetup.class);

  /** Below this every other rank is a neighbour. */
  private static final int FEWEST_RANKS_WITH_RELAY = 4;

  /** Bounds a sleep, because others may want to stop and the injected clock may differ. */
  private static final long LONGEST_SLEEP_MILLIS = 20;

  /** How long a connection may take to prove who it is. */
  private static final long HANDSHAKE_NANOS = Duration.ofSeconds(5).toNanos();

  private final RingHosts hosts;
  private final int rank;
  private final int left;
  private final int right;
  private final RingOptions options;
  private final RingState state;
  private final LongSupplier clock;
  private final Selector selector;
  private final int relay;
  private final boolean introduces;
  private final boolean hasRelay;
  private final List<Listener> listeners = new ArrayList<>();
  private final List<Connector> connectors = new ArrayList<>();
  private final Connection[] fromLeft;
  private final Connection[] toRight;
  private long startNanos;

  RingSetup(RingHosts hosts, int rank, RingOptions options, RingState state) {
    this.hosts = hosts;
    this.rank = rank;
    this.left = Side.LEFT.of(rank, hosts.size());
    this.right = Side.RIGHT.of(rank, hosts.size());
    this.options = options;
    this.state = state;
    this.clock = options.nanoClock();
    this.relay = hosts.connections();
    this.introduces = options.key() != null || options.extensions();
    this.hasRelay = options.extensions() && hosts.size() >= FEWEST_RANKS_WITH_RELAY;
    int connections = hosts.size() == 1 ? 0 : relay + (hasRelay ? 1 : 0);
    this.fromLeft = new Connection[connections];
    this.toRight = new Connection[connections];
    try {
      this.selector = Selector.open();
    } catch (IOException e) {
      throw new FormationException(
          Reason.FABRIC,
          "rank " + rank + " of a ring has no selector: " + e.getMessage() + "; allow more files",
          e);
    }
  }

  Selector selector() {
    return selector;
  }

  /** Returns when all connections are there; on failure {@link #close} releases what is. */
  Neighbours connect() {
    startNanos = clock.getAsLong();
    if (hosts.size() > 1) {
      new Reachability(hosts, rank, Reachability::isOnThisHost).check();
      begin();
      try {
        while (!isComplete()) {
          step();
        }
        // Only now the listening sockets are really closed.
        selector.selectNow();
        selector.selectedKeys().clear();
      } catch (IOException e) {
        throw new FormationException(
            Reason.FABRIC,
            "rank " + rank + " of a ring cannot use its sockets: " + e.getMessage(),
            e);
      }
    }
    return new Neighbours(
        direct(fromLeft),
        direct(toRight),
        hasRelay ? List.of(fromLeft[relay], toRight[relay]) : List.of());
  }

  private List<Connection> direct(Connection[] all) {
    return Arrays.asList(all).subList(0, Math.min(all.length, relay));
  }

  private void begin() {
    for (int i = 0; i < hosts.connections(); i++) {
      listeners.add(new Listener(rank, i, hosts.address(rank, i), selector));
      tell("accepts rank " + left + " at " + RingHosts.text(hosts.address(rank, i)));
    }
    for (int i = 0; i < toRight.length; i++) {
      connectors.add(new Connector(right, i, hosts.address(right, i == relay ? 0 : i), selector));
      tell("connects to " + connectors.getLast().describe());
    }
  }

  private boolean isComplete() {
    return !Arrays.asList(fromLeft).contains(null) && !Arrays.asList(toRight).contains(null);
  }

  private void step() throws IOException {
    long nowNanos = clock.getAsLong();
    if (state.isClosed()) {
      throw new FormationException(
          Reason.STOPPED, "rank " + rank + " of a ring was stopped while it connected");
    }
    if (nowNanos - startNanos >= options.connectTimeout().toNanos()) {
      throw timedOut(nowNanos);
    }
    for (Listener listener : listeners) {
      listener.refuseSlow(nowNanos);
    }
    for (Connector connector : connectors) {
      boolean inTurn = connector.index() != relay || toRight[0] != null;
      if (inTurn && connector.isDue(nowNanos) && connector.attempt(nowNanos)) {
        onConnected(connector, nowNanos);
      }
    }
    selector.select(LONGEST_SLEEP_MILLIS);
    Set<SelectionKey> ready = Set.copyOf(selector.selectedKeys());
    selector.selectedKeys().clear();
    for (SelectionKey key : ready) {
      if (key.isValid()) {
        onReady(key, nowNanos);
      }
    }
  }

  private void onReady(SelectionKey key, long nowNanos) throws IOException {
    switch (key.attachment()) {
      case Listener listener -> onAcceptable(listener, nowNanos);
      case Listener.Candidate candidate -> onCandidate(candidate, key);
      case Connector connector -> onConnector(connector, key, nowNanos);
      case Connection connection -> onEarlyData(connection);
      default -> throw new IllegalStateException("a key of nobody: " + key.attachment());
    }
  }

  private void onAcceptable(Listener listener, long nowNanos) throws IOException {
    while (listener.isOpen()) {
      SocketChannel channel = listener.accept();
      if (channel == null) {
        return;
      }
      if (introduces) {
        Handshake handshake =
            Handshake.ofAccepting(
                options.key(), introduction(rank, listener.index()), expectedAt(listener));
        Listener.Candidate candidate =
            new Listener.Candidate(listener, channel, handshake, nowNanos + HANDSHAKE_NANOS);
        listener.add(candidate);
        channel.register(selector, handshake.interest(), candidate);
      } else {
        admit(listener, listener.index(), channel);
      }
    }
  }

  private Set<Introduction> expectedAt(Listener listener) {
    Set<Introduction> expected = new HashSet<>();
    if (fromLeft[listener.index()] == null) {
      expected.add(introduction(left, listener.index()));
    }
    if (hasRelay && listener.index() == 0) {
      expected.add(introduction(left, relay));
    }
    return expected;
  }

  private Introduction introduction(int of, int index) {
    return new Introduction(hosts.size(), of, hosts.connections(), index, options.extensions());
  }

  private void onCandidate(Listener.Candidate candidate, SelectionKey key) {
    Handshake handshake = candidate.handshake();
    try {
      handshake.advance(candidate.channel());
      if (!handshake.isDone()) {
        key.interestOps(handshake.interest());
        return;
      }
      int index = handshake.peer().connection();
      if (fromLeft[index] == null) {
        candidate.listener().remove(candidate);
        admit(candidate.listener(), index, candidate.channel());
      } else {
        candidate.listener().refuse(candidate, "came twice");
      }
    } catch (IOException e) {
      candidate.listener().refuse(candidate, "broke (" + e.getMessage() + ")");
    } catch (HandshakeException e) {
      candidate.listener().refuse(candidate, e.getMessage());
      if (e.isFinal()) {
        throw new FormationException(
            Reason.SETTINGS_DIFFER,
            "who connected to rank "
                + rank
                + " at "
                + RingHosts.text(candidate.listener().address())
                + " "
                + e.getMessage(),
            e);
      }
    }
  }

  private void admit(Listener listener, int index, SocketChannel channel) throws IOException {
    SelectionKey key = channel.register(selector, 0);
    fromLeft[index] =
        new Connection(channel, key, Side.LEFT, index, left, hosts.address(left, index % relay));
    fromLeft[index].interest(SelectionKey.OP_READ);
    if (!introduces) {
      fromLeft[index].expectNoIntroduction();
    }
    tell("has been reached by rank " + left + " at " + RingHosts.text(listener.address()));
    boolean all =
        fromLeft[listener.index()] != null
            && (!hasRelay || listener.index() != 0 || fromLeft[relay] != null);
    if (all) {
      listener.close();
    }
  }

  private void onConnector(Connector connector, SelectionKey key, long nowNanos)
      throws IOException {
    if (!connector.isConnected()) {
      if (connector.finish(nowNanos)) {
        onConnected(connector, nowNanos);
      }
    } else {
      onHandshake(connector, key, nowNanos);
    }
  }

  private void onConnected(Connector connector, long nowNanos) throws IOException {
    if (!introduces) {
      admit(connector);
      return;
    }
    // The neighbour answers as the owner of the address, which is that of the first connection.
    int accepting = connector.index() % relay;
    connector.handshake(
        Handshake.ofConnecting(
            options.key(), introduction(rank, connector.index()), introduction(right, accepting)));
    onHandshake(connector, connector.channel().keyFor(selector), nowNanos);
  }

  private void onHandshake(Connector connector, SelectionKey key, long nowNanos)
      throws IOException {
    Handshake handshake = connector.handshake();
    try {
      handshake.advance(connector.channel());
      if (handshake.isDone()) {
        admit(connector);
      } else {
        key.interestOps(handshake.interest());
      }
    } catch (HandshakeException e) {
      if (e.isFinal()) {
        throw new FormationException(
            Reason.SETTINGS_DIFFER, connector.describe() + " " + e.getMessage(), e);
      }
      connector.failed(e.getMessage(), nowNanos);
    } catch (IOException e) {
      connector.failed(e.getMessage(), nowNanos);
    }
  }

  private void admit(Connector connector) throws IOException {
    InetSocketAddress address = connector.address();
    int index = connector.index();
    SelectionKey key = connector.channel().keyFor(selector);
    toRight[index] = new Connection(connector.channel(), key, Side.RIGHT, index, right, address);
    toRight[index].interest(SelectionKey.OP_READ);
    connector.done();
    tell("has reached " + connector.describe());
  }

  private void tell(String progress) {
    LOG.atLevel(options.verbose() ? Level.INFO : Level.DEBUG)
        .log("[ring] rank {} of {} {}", rank, hosts.size(), progress);
  }

  /** A neighbour that is ready may send already, or be gone again. */
  private void onEarlyData(Connection connection) {
    connection.probe();
    if (connection.isLost()) {
      throw new FormationException(
          Reason.PEER_FAILED,
          "rank " + rank + " of a ring, while it formed: " + connection.lost().getMessage());
    }
    if (!connection.canProbe()) {
      connection.interest(0);
    }
  }

  private FormationException timedOut(long nowNanos) {
    String elapsed =
        String.format(Locale.ROOT, "%.1f s", (nowNanos - startNanos) / (double) 1_000_000_000);
    List<String> missing = new ArrayList<>();
    for (Connector connector : connectors) {
      if (!connector.isDone() && (connector.index() != relay || toRight[0] != null)) {
        missing.add(connector.progress(elapsed));
      }
    }
    for (Listener listener : listeners) {
      if (listener.isOpen()) {
        String refusal = listener.refusal();
        missing.add(
            "rank "
                + left
                + (fromLeft[listener.index()] == null
                    ? " has not connected to "
                    : " has not made the connection for its extensions to ")
                + RingHosts.text(listener.address())
                + (refusal.isEmpty() ? "" : " (" + refusal + ")"));
      }
    }
    return new FormationException(
        Reason.TIMEOUT,
        "rank "
            + rank
            + " of "
            + hosts.size()
            + " in a ring has not all connections after "
            + elapsed
            + ": "
            + String.join("; ", missing)
            + "; start the missing ranks, see that their addresses are right and not blocked, or"
            + " allow more time");
  }

  /** After a failure: releases all sockets. */
  void close() {
    listeners.stream().filter(Listener::isOpen).forEach(Listener::close);
    connectors.forEach(Connector::close);
    for (Connection connection : fromLeft) {
      if (connection != null) {
        connection.close();
      }
    }
    try {
      selector.close();
    } catch (IOException e) {
      throw new IllegalStateException("the selector of this ring cannot be closed: " + e, e);
    }
  }
}
