package io.jaccl4j.fabric.tcp;

import io.jaccl4j.GroupMember;
import io.jaccl4j.fabric.Cleanup;
import io.jaccl4j.fabric.CompletionHandler;
import io.jaccl4j.fabric.Fabric;
import io.jaccl4j.fabric.FabricException;
import io.jaccl4j.fabric.FabricRequest;
import io.jaccl4j.fabric.Link;
import io.jaccl4j.fabric.RegisteredMemory;
import io.jaccl4j.fabric.Wire;
import java.lang.foreign.Arena;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The sockets of one rank. */
final class TcpFabric implements Fabric {
  private static final Logger LOG = LoggerFactory.getLogger(TcpFabric.class);

  /** The end of the time to connect is kept for telling the other ranks what was wrong. */
  private static final long TELL_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final int TELL_PART = 10;

  /**
   * How long a departure in good order is left to the cluster to tell, which knows what the peer
   * had completed.
   */
  private static final long FAREWELL_GRACE_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** A poll costs a system call per socket; one that waits for long looks less often. */
  private static final int VAIN_POLLS_BEFORE_THRIFT = 4096;

  private static final int THRIFT_MASK = 15;

  /** Bounds how late a sleeping rank notices that its group is closed or has failed. */
  private static final long LONGEST_SLEEP_MILLIS = 5;

  private final FabricRequest request;
  private final AddressChoice addresses;
  private final LongSupplier nanoClock;
  private final long deadlineNanos;
  private final SocketOptions options;
  private final Arena arena = Arena.ofConfined();
  private final byte[] token = new byte[TcpDestination.TOKEN_BYTES];
  private final TcpLink[] linkOfWire;
  private final TcpMemory memory;
  private final Listeners listeners;
  private TcpLink[] links = {};
  private Readiness readiness;
  private FabricException failure;
  private long bytesMoved;
  private int vainPolls;
  private boolean departureSeen;
  private long departureSeenNanos;
  private boolean closed;

  /**
   * Listens and takes memory.
   *
   * @param deadlineNanos by which the group must be ready, on the clock
   */
  TcpFabric(
      FabricRequest request, AddressChoice addresses, LongSupplier nanoClock, long deadlineNanos) {
    this.request = request;
    this.addresses = addresses;
    this.nanoClock = nanoClock;
    this.deadlineNanos = deadlineNanos;
    this.options = new SocketOptions(request.settings().tcp());
    this.linkOfWire = new TcpLink[request.wires().size()];
    this.listeners =
        Listeners.open(
            addresses.own(), addresses.isChosenByUser(), request.settings().tcp(), options);
    try {
      this.memory =
          new TcpMemory(
              request.settings().memory().slotBytes(),
              request.sendSlots(),
              ownWires(),
              TcpLink.DEPTH,
              request.settings().memory().registeredBytes());
    } catch (RuntimeException | OutOfMemoryError e) {
      listeners.close();
      throw e;
    }
    new SecureRandom().nextBytes(token);
  }

  private int ownWires() {
    return (int) request.wires().stream().filter(wire -> wire.ends(request.rank())).count();
  }

  @Override
  public String name() {
    return TcpFabricProvider.NAME;
  }

  @Override
  public byte[] destination() {
    return new TcpDestination(token, listeners.endpoints()).encode();
  }

  @Override
  public void connect(List<byte[]> destinations) {
    List<TcpDestination> decoded = new ArrayList<>();
    for (int rank = 0; rank < destinations.size(); rank++) {
      decoded.add(TcpDestination.decode(rank, destinations.get(rank)));
    }
    long leftNanos = deadlineNanos - nanoClock.getAsLong();
    long connectUntilNanos = deadlineNanos - Math.min(TELL_NANOS, leftNanos / TELL_PART);
    try (Rendezvous rendezvous =
        new Rendezvous(
            request, decoded, addresses, listeners, options, nanoClock, connectUntilNanos)) {
      makeLinks(rendezvous.run());
    }
  }

  private void makeLinks(Map<Place, Connection> connections) {
    int sockets = request.settings().tcp().socketsPerWire();
    List<TcpLink> made = new ArrayList<>();
    for (Wire wire : request.wires()) {
      if (!wire.ends(request.rank())) {
        continue;
      }
      Connection[] ofWire = new Connection[sockets];
      for (int socket = 0; socket < sockets; socket++) {
        ofWire[socket] = connections.get(Place.of(wire, socket, request.rank()));
      }
      GroupMember peer = request.members().get(wire.peerOf(request.rank()));
      TcpLink link = new TcpLink(made.size(), wire, peer, ofWire, memory, arena);
      linkOfWire[wire.number()] = link;
      made.add(link);
    }
    links = made.toArray(TcpLink[]::new);
    readiness = new Readiness(links);
  }

  @Override
  public void established() {
    listeners.close();
  }

  @Override
  public Link link(int wire) {
    return linkOfWire[wire];
  }

  @Override
  public RegisteredMemory memory() {
    return memory;
  }

  @Override
  public int poll(CompletionHandler handler) {
    if (vainPolls > VAIN_POLLS_BEFORE_THRIFT && (++vainPolls & THRIFT_MASK) != 0) {
      return 0;
    }
    if (failure != null) {
      throw failure;
    }
    int found = 0;
    long moved = 0;
    try {
      for (TcpLink link : links) {
        found += link.poll(handler);
        moved += link.bytesMoved();
      }
    } catch (FabricException e) {
      failure = e;
      throw e;
    }
    if (moved != bytesMoved) {
      bytesMoved = moved;
      vainPolls = 0;
    } else if (vainPolls < Integer.MAX_VALUE - THRIFT_MASK) {
      vainPolls++;
    }
    return found;
  }

  @Override
  public boolean awaitCompletion() {
    vainPolls = 0;
    readiness.await(LONGEST_SLEEP_MILLIS);
    return true;
  }

  @Override
  public boolean pollsTheKernel() {
    return true;
  }

  /** Within a host a message is nothing but work of its processors, and is there at once. */
  @Override
  public boolean prefersFewMessages() {
    return request.members().stream().map(GroupMember::host).distinct().count() == 1;
  }

  @Override
  public boolean progress() {
    boolean left = false;
    if (failure == null) {
      try {
        for (TcpLink link : links) {
          left |= link.sendOn();
        }
      } catch (FabricException e) {
        // Between operations nobody awaits anything; the next one throws it.
        failure = e;
        return false;
      }
    }
    return left;
  }

  @Override
  public void check() {
    for (TcpLink link : links) {
      if (link.needsDeparted()) {
        long nowNanos = nanoClock.getAsLong();
        if (!departureSeen) {
          departureSeen = true;
          departureSeenNanos = nowNanos;
        } else if (nowNanos - departureSeenNanos >= FAREWELL_GRACE_NANOS) {
          failure = link.departed();
          throw failure;
        }
        return;
      }
    }
  }

  @Override
  public String describe() {
    int sockets = request.settings().tcp().socketsPerWire();
    return "TCP, "
        + ownWires() * sockets
        + (ownWires() * sockets == 1 ? " socket" : " sockets")
        + " at "
        + Endpoints.describe(listeners.endpoints())
        + ", "
        + memory.slots()
        + " slots of "
        + memory.slotBytes()
        + " bytes, "
        + memory.segment().byteSize()
        + " bytes of memory";
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    List<Runnable> steps = new ArrayList<>();
    if (failure == null) {
      steps.add(() -> new Parting(nanoClock).run(List.of(links)));
    } else {
      LOG.debug("Closing failed links: [{}]", countersOfLinks());
    }
    if (readiness != null) {
      steps.add(readiness::close);
    }
    for (TcpLink link : links) {
      for (int socket = 0; socket < link.sockets(); socket++) {
        steps.add(link.connection(socket)::close);
      }
    }
    steps.add(listeners::close);
    steps.add(memory::free);
    steps.add(arena::close);
    Cleanup.runAll(steps);
  }

  private String countersOfLinks() {
    List<String> states = new ArrayList<>();
    for (TcpLink link : links) {
      states.add("to rank " + link.peer() + ", " + link.counters());
    }
    return String.join("; ", states);
  }
}
