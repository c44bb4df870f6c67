package io.jaccl4j.fabric.tcp;

import io.jaccl4j.GroupMember;
import io.jaccl4j.fabric.Cleanup;
import io.jaccl4j.fabric.FabricException;
import io.jaccl4j.fabric.FabricRequest;
import io.jaccl4j.fabric.Wire;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Makes all connections of one rank at the same time: dials peers of higher rank, answers those of
 * lower rank, and turns strangers away. One use; closed, it leaves no socket but those that it has
 * returned.
 */
final class Rendezvous implements AutoCloseable, Dial.Listener, Visitor.Host {
  private static final long SELECT_MILLIS = 10;

  /** How long a visitor may take to prove who it is. */
  private static final long VISIT_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** Strangers that are silent at the same time; the oldest makes room for the next. */
  private static final int MAX_UNPROVEN = 64;

  private final FabricRequest request;
  private final List<TcpDestination> destinations;
  private final AddressChoice addresses;
  private final Listeners listeners;
  private final SocketOptions options;
  private final LongSupplier nanoClock;
  private final long startNanos;
  private final long deadlineNanos;
  private final long groupHash;
  private final int sockets;
  private final Selector selector;
  private final Map<Place, Connection> connections = new LinkedHashMap<>();
  private final List<Place> places = new ArrayList<>();
  private final List<Dial> dials = new ArrayList<>();
  private final Deque<Visitor> visitors = new ArrayDeque<>();
  private long refusals;
  private String lastRefusal = "";
  private FabricException failure;
  private boolean complete;

  /**
   * Prepares.
   *
   * @param destinations of all ranks
   * @param deadlineNanos on the clock
   */
  Rendezvous(
      FabricRequest request,
      List<TcpDestination> destinations,
      AddressChoice addresses,
      Listeners listeners,
      SocketOptions options,
      LongSupplier nanoClock,
      long deadlineNanos) {
    this.request = request;
    this.destinations = destinations;
    this.addresses = addresses;
    this.listeners = listeners;
    this.options = options;
    this.nanoClock = nanoClock;
    this.startNanos = nanoClock.getAsLong();
    this.deadlineNanos = deadlineNanos;
    this.groupHash = Hello.group(request.settings().name());
    this.sockets = request.settings().tcp().socketsPerWire();
    try {
      this.selector = Selector.open();
    } catch (IOException e) {
      throw new FabricException("tcp connect: no selector: " + SocketFailure.describe(e), e);
    }
  }

  /**
   * Makes the connections.
   *
   * @return one for every socket of every wire of this rank
   */
  Map<Place, Connection> run() {
    try {
      prepare();
      while (connections.size() < places.size()) {
        long nowNanos = nanoClock.getAsLong();
        if (nowNanos - deadlineNanos >= 0) {
          throw late(nowNanos);
        }
        tick(nowNanos);
        selector.select(key -> ((Party) key.attachment()).onReady(nowNanos), SELECT_MILLIS);
        if (failure != null) {
          throw failure;
        }
      }
    } catch (IOException e) {
      throw new FabricException("tcp connect failed: " + SocketFailure.describe(e), e);
    }
    complete = true;
    return connections;
  }

  private void prepare() throws IOException {
    SplittableRandom random = new SplittableRandom();
    for (Wire wire : request.wires()) {
      if (!wire.ends(request.rank())) {
        continue;
      }
      for (int socket = 0; socket < sockets; socket++) {
        Place place = Place.of(wire, socket, request.rank());
        places.add(place);
        if (place.dialled()) {
          dials.add(dial(place, new Backoff(random.split())));
        }
      }
    }
    for (ServerSocketChannel channel : listeners.channels()) {
      Party door = nowNanos -> accept(channel, nowNanos);
      channel.register(selector, SelectionKey.OP_ACCEPT, door);
    }
  }

  private Dial dial(Place place, Backoff backoff) {
    TcpDestination peer = destinations.get(place.peer());
    Hello hello =
        new Hello(
            sockets,
            groupHash,
            request.epoch(),
            request.rank(),
            place.peer(),
            place.wire().number(),
            place.socket(),
            peer.token());
    return new Dial(
        place,
        addresses.candidates(place.peer(), peer.endpoints()),
        addresses::sourceFor,
        options,
        hello,
        hello.answeredWith(ownToken()),
        backoff,
        selector,
        this,
        startNanos);
  }

  private byte[] ownToken() {
    return destinations.get(request.rank()).token();
  }

  private void tick(long nowNanos) {
    for (Dial dial : dials) {
      dial.tick(nowNanos);
    }
    visitors.forEach(visitor -> visitor.tick(nowNanos));
    visitors.removeIf(Visitor::isOver);
  }

  private void accept(ServerSocketChannel listener, long nowNanos) {
    try {
      for (SocketChannel channel = listener.accept();
          channel != null;
          channel = listener.accept()) {
        welcome(channel, nowNanos);
      }
    } catch (IOException e) {
      // For instance too many open files, which may pass; otherwise the deadline tells.
      refused(null, "accepting failed: " + SocketFailure.describe(e));
    }
  }

  private void welcome(SocketChannel channel, long nowNanos) throws IOException {
    SocketAddress from = channel.getRemoteAddress();
    Visitor visitor = new Visitor(channel, from, this, nowNanos + VISIT_NANOS);
    try {
      options.apply(channel);
      visitor.register(channel.register(selector, SelectionKey.OP_READ, visitor));
    } catch (IOException e) {
      visitor.refuse(SocketFailure.describe(e));
      return;
    }
    visitors.add(visitor);
    if (visitors.stream().filter(v -> !v.isOver() && !v.isProven()).count() > MAX_UNPROVEN) {
      visitors.stream()
          .filter(v -> !v.isOver() && !v.isProven())
          .findFirst()
          .ifPresent(oldest -> oldest.refuse("too many connected and said nothing"));
    }
  }

  @Override
  public ByteBuffer answer(Hello hello) throws Visitor.Stranger {
    Place place = placeOf(hello);
    return hello.answeredWith(destinations.get(place.peer()).token()).encode();
  }

  @Override
  public void settled(Hello hello, SocketChannel channel, SelectionKey key)
      throws Visitor.Stranger {
    settled(placeOf(hello), channel, key);
  }

  /** The free place that a hello is for. */
  private Place placeOf(Hello hello) throws Visitor.Stranger {
    Place place = null;
    for (Place candidate : places) {
      if (!candidate.dialled()
          && candidate.wire().number() == hello.wire()
          && candidate.socket() == hello.socket()) {
        place = candidate;
      }
    }
    int expected = place == null ? hello.from() : place.peer();
    Hello want =
        new Hello(
            sockets,
            groupHash,
            request.epoch(),
            expected,
            request.rank(),
            hello.wire(),
            hello.socket(),
            ownToken());
    var difference = Hello.difference(hello, want);
    if (difference.isPresent()) {
      throw new Visitor.Stranger(difference.get());
    }
    if (place == null) {
      throw new Visitor.Stranger(
          "rank "
              + hello.from()
              + " does not connect socket "
              + hello.socket()
              + " of wire "
              + hello.wire()
              + " here");
    }
    if (connections.containsKey(place)) {
      throw new Visitor.Stranger(place + " of rank " + hello.from() + " is connected already");
    }
    return place;
  }

  @Override
  public void refused(SocketAddress from, String why) {
    refusals++;
    lastRefusal = (from == null ? "" : Endpoints.describe(from) + ": ") + why;
  }

  @Override
  public void settled(Place place, SocketChannel channel, SelectionKey key) {
    GroupMember peer = request.members().get(place.peer());
    try {
      Connection connection =
          new Connection(
              channel,
              peer,
              place.wire().number(),
              place.socket(),
              channel.getLocalAddress(),
              channel.getRemoteAddress());
      connections.put(place, connection);
      ByteBuffer nothing = ByteBuffer.allocateDirect(1);
      Party watch = nowNanos -> watch(connection, nothing);
      key.attach(watch);
      key.interestOps(SelectionKey.OP_READ);
    } catch (IOException e) {
      failure =
          new FabricException(
              place.peer(),
              "tcp connect of " + place + " to " + peer + " failed: " + SocketFailure.describe(e),
              e);
    }
  }

  /** Nobody sends a message before all are connected, so only an end can come. */
  private void watch(Connection connection, ByteBuffer nothing) {
    try {
      int bytes = connection.read(nothing.clear());
      if (bytes != 0) {
        fail(
            connection.broken(
                bytes < 0
                    ? "the peer closed the connection while others were still being made: it has"
                        + " failed or given up"
                    : "the peer sent something before all connections were made; run the same"
                        + " version on all ranks"));
      }
    } catch (FabricException e) {
      fail(e);
    }
  }

  private void fail(FabricException cause) {
    if (failure == null) {
      failure = cause;
    }
  }

  private FabricException late(long nowNanos) {
    List<Place> missing = places.stream().filter(place -> !connections.containsKey(place)).toList();
    Place first = missing.getFirst();
    String seconds = "%.1f s".formatted((nowNanos - startNanos) / 1e9);
    return new FabricException(
        first.peer(),
        "tcp connect: no connection with "
            + request.members().get(first.peer())
            + " for "
            + first
            + " after "
            + seconds
            + ", "
            + (first.dialled() ? dialled(first) : awaited(first))
            + (missing.size() == 1
                ? ""
                : "; " + (missing.size() - 1) + " of " + places.size() + " others are missing too")
            + "; look for a firewall or a wrong jaccl4j.tcp.interface, or raise"
            + " jaccl4j.formation-timeout",
        null);
  }

  private String dialled(Place place) {
    return dials.stream()
        .filter(dial -> dial.place().equals(place))
        .findFirst()
        .map(Dial::trouble)
        .orElseThrow();
  }

  private String awaited(Place place) {
    return "listening at "
        + Endpoints.describe(listeners.endpoints())
        + ", where rank "
        + place.peer()
        + " has not connected"
        + (refusals == 0
            ? ""
            : "; turned away " + refusals + " connections, the last one from " + lastRefusal);
  }

  @Override
  public void close() {
    List<Runnable> steps = new ArrayList<>();
    dials.forEach(dial -> steps.add(dial::close));
    visitors.stream()
        .filter(visitor -> !visitor.isOver())
        .forEach(visitor -> steps.add(() -> visitor.refuse("all connections are made")));
    if (!complete) {
      connections.values().forEach(connection -> steps.add(connection::close));
    }
    steps.add(this::closeSelector);
    Cleanup.runAll(steps);
  }

  private void closeSelector() {
    try {
      selector.close();
    } catch (IOException e) {
      throw new FabricException(
          "tcp connect: closing the selector failed: " + SocketFailure.describe(e), e);
    }
  }
}
