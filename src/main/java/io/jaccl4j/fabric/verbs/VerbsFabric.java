package io.jaccl4j.fabric.verbs;

import io.jaccl4j.GroupMember;
import io.jaccl4j.WireMode;
import io.jaccl4j.fabric.Cleanup;
import io.jaccl4j.fabric.CompletionHandler;
import io.jaccl4j.fabric.FabricException;
import io.jaccl4j.fabric.FabricRequest;
import io.jaccl4j.fabric.JacclFabric;
import io.jaccl4j.fabric.Link;
import io.jaccl4j.fabric.RegisteredMemory;
import io.jaccl4j.fabric.Wire;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The queue pairs of one rank. */
final class VerbsFabric implements JacclFabric {
  private static final Logger LOG = LoggerFactory.getLogger(VerbsFabric.class);

  /** What was sent last must leave before its queue pair goes. */
  private static final long FLUSH_NANOS = 500_000_000;

  /** JACCL's, a constant of its wire. */
  private static final int JACCL_PSN = 7;

  private static final int PSN_BITS = 24;

  /** What JACCL writes where there is no connection. */
  private static final int NO_LID = -1;

  private final OwnerThread owner = OwnerThread.current();
  private final FabricRequest request;
  private final LongSupplier nanoClock;
  private final Arena arena = Arena.ofConfined();
  private final VerbsPlan plan;
  private final VerbsDevice[] devices;
  private final VerbsMemory memory;
  private final VerbsLink[] links;
  private final VerbsLink[] linkOfWire;
  private final int[] psns;
  private final CompletionEvents events;
  private boolean connected;
  private boolean failed;
  private boolean closed;

  /**
   * Takes open devices over and makes queue pairs, up to {@code INIT}.
   *
   * @param deviceOfWire for every wire that this rank is at
   */
  VerbsFabric(
      FabricRequest request,
      VerbsPlan plan,
      Ibverbs verbs,
      Map<Integer, VerbsDevice> deviceOfWire,
      LongSupplier nanoClock) {
    this.request = request;
    this.plan = plan;
    this.nanoClock = nanoClock;
    this.devices = deviceOfWire.values().stream().distinct().toArray(VerbsDevice[]::new);
    this.memory =
        new VerbsMemory(
            request.settings().memory().slotBytes(),
            request.sendSlots(),
            plan.links(),
            plan.queuePair().receives(),
            request.settings().memory().registeredBytes());
    this.links = new VerbsLink[plan.links()];
    this.linkOfWire = new VerbsLink[request.wires().size()];
    this.psns = new int[plan.links()];
    boolean sleeps = request.settings().idle().events() && verbs.hasCompletionChannels();
    try {
      for (VerbsDevice device : devices) {
        int linksOfDevice =
            (int) deviceOfWire.values().stream().filter(other -> other == device).count();
        device.allocate(arena, plan.completionEntries(linksOfDevice), sleeps, memory.segment());
      }
      makeLinks(deviceOfWire);
      events = sleeps ? new CompletionEvents(verbs, devices, arena) : null;
    } catch (RuntimeException e) {
      closeAfter(e);
      throw e;
    }
  }

  private void makeLinks(Map<Integer, VerbsDevice> deviceOfWire) {
    SecureRandom random = new SecureRandom();
    int index = 0;
    for (Wire wire : request.wires()) {
      if (wire.ends(request.rank())) {
        VerbsDevice device = deviceOfWire.get(wire.number());
        String label =
            VerbsLink.describe(device.name(), wire.number(), wire.peerOf(request.rank()));
        QueuePair queuePair = device.queuePair(plan.queuePair(), label);
        links[index] = link(index, wire, device, queuePair);
        linkOfWire[wire.number()] = links[index];
        // Packets that an earlier queue pair of the same number still has under way do not fit.
        psns[index] = isWhole() ? JACCL_PSN : random.nextInt(1 << PSN_BITS);
        index++;
      }
    }
  }

  private boolean isWhole() {
    return request.settings().wire() == WireMode.MLX;
  }

  private VerbsLink link(int index, Wire wire, VerbsDevice device, QueuePair queuePair) {
    return isWhole()
        ? new WholeBufferLink(index, request.rank(), wire, device, queuePair, memory, arena)
        : new CreditLink(index, request.rank(), wire, device, queuePair, memory, arena);
  }

  @Override
  public String name() {
    return VerbsFabricProvider.NAME;
  }

  @Override
  public byte[] destination() {
    return ownDestination().encode();
  }

  private VerbsDestination ownDestination() {
    Map<Integer, VerbsDestination.End> ends = new LinkedHashMap<>();
    for (VerbsLink link : links) {
      VerbsDevice device = link.device();
      ends.put(
          link.wire(),
          new VerbsDestination.End(device.name(), device.port().activeMtu(), address(link)));
    }
    return new VerbsDestination(plan.queuePair().type(), ends);
  }

  private QueuePairAddress address(VerbsLink link) {
    VerbsDevice device = link.device();
    return new QueuePairAddress(
        device.port().lid(), link.queuePair().number(), psns[link.index()], device.gid().bytes());
  }

  @Override
  public void connect(List<byte[]> destinations) {
    List<VerbsDestination> decoded = new ArrayList<>();
    for (int rank = 0; rank < destinations.size(); rank++) {
      decoded.add(VerbsDestination.decode(rank, destinations.get(rank)));
    }
    for (VerbsLink link : links) {
      connect(link, decoded.get(link.peer()));
    }
    start();
  }

  private void start() {
    for (VerbsLink link : links) {
      link.start();
    }
    connected = true;
  }

  @Override
  public byte[] jacclDestination(int wire) {
    return encode(address(linkOfWire[wire]));
  }

  @Override
  public byte[] jacclSelf() {
    return encode(new QueuePairAddress(NO_LID, 0, JACCL_PSN, new byte[Gid.BYTES]));
  }

  private static byte[] encode(QueuePairAddress address) {
    ByteBuffer buffer = ByteBuffer.allocate(QueuePairAddress.BYTES);
    address.encode(buffer);
    return buffer.array();
  }

  @Override
  public void connectJaccl(IntFunction<byte[]> peers) {
    for (VerbsLink link : links) {
      QueuePairAddress peer = QueuePairAddress.decode(ByteBuffer.wrap(peers.apply(link.wire())));
      if (peer.lid() == NO_LID) {
        throw new FabricException(
            link.peer(),
            member(link.peer())
                + " tells no queue pair for "
                + link.describe()
                + "; do all ranks have the same device matrix?",
            null);
      }
      int mtu = Math.min(IbvConstants.IBV_MTU_1024, link.device().port().activeMtu());
      connect(link, peer, mtu, "unknown");
    }
    start();
  }

  private void connect(VerbsLink link, VerbsDestination peer) {
    VerbsDestination.End end = peer.ends().get(link.wire());
    if (end == null) {
      throw new FabricException(
          link.peer(),
          member(link.peer())
              + " has no end of wire "
              + link.wire()
              + ", only "
              + peer.ends().keySet(),
          null);
    }
    if (peer.queuePairType() != plan.queuePair().type()) {
      throw new FabricException(
          link.peer(),
          member(link.peer())
              + " has "
              + IbvNames.queuePair(peer.queuePairType())
              + " queue pairs, this rank has "
              + IbvNames.queuePair(plan.queuePair().type())
              + "; set jaccl4j.verbs.queue-pair to the same type on all ranks",
          null);
    }
    int mtu = Math.min(end.activeMtu(), link.device().port().activeMtu());
    connect(link, end.address(), mtu, end.device());
  }

  private void connect(VerbsLink link, QueuePairAddress peer, int mtu, String peerDevice) {
    VerbsDevice device = link.device();
    QueuePairAddress local = address(link);
    LOG.debug(
        "Group [{}] epoch [{}] rank [{}] wire [{}]: [{}] [{}] on device [{}] port [{}] gid index"
            + " [{}] mtu [{}] connects to rank [{}] [{}] on device [{}]",
        request.settings().name(),
        request.epoch(),
        request.rank(),
        link.wire(),
        IbvNames.queuePair(plan.queuePair().type()),
        local,
        device.name(),
        DeviceContext.PORT,
        device.gid().index(),
        IbvNames.mtuBytes(mtu),
        link.peer(),
        peer,
        peerDevice);
    try {
      link.queuePair().connect(local, device.gid().index(), peer, mtu);
    } catch (FabricException e) {
      throw new FabricException(
          link.peer(), e.getMessage() + "; the peer is " + member(link.peer()), e);
    }
  }

  private GroupMember member(int rank) {
    return request.members().get(rank);
  }

  @Override
  public void established() {}

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
    int found = take();
    for (VerbsLink link : links) {
      found += link.deliver(handler);
    }
    return found;
  }

  /** A send that waits for credit goes on when the credit comes, whatever this rank does then. */
  @Override
  public boolean progress() {
    if (!holdsSends()) {
      return false;
    }
    take();
    return holdsSends();
  }

  private boolean holdsSends() {
    for (VerbsLink link : links) {
      if (link.holdsSends()) {
        return true;
      }
    }
    return false;
  }

  /** Takes the completions that are there to their links; their number. */
  private int take() {
    int found = 0;
    for (VerbsDevice device : devices) {
      CompletionQueue queue = device.completions();
      int count = queue.poll();
      for (int i = 0; i < count; i++) {
        dispatch(queue, i, count);
      }
      found += count;
    }
    return found;
  }

  private void dispatch(CompletionQueue queue, int i, int count) {
    VerbsLink link = linkOf(queue, i);
    if (queue.status(i) != IbvConstants.IBV_WC_SUCCESS) {
      failed = true;
      throw FailedCompletions.firstCause(queue, i, count, this::linkOf);
    }
    long workId = queue.workId(i);
    switch (WorkId.kind(workId)) {
      case WorkId.RECEIVE ->
          link.onReceived(workId, queue.bytes(i), queue.hasImmediate(i), queue.immediate(i));
      case WorkId.SEND -> link.onSent(workId);
      default -> throw link.unexpected(workId, "a send or a receive");
    }
  }

  private VerbsLink linkOf(CompletionQueue queue, int i) {
    long workId = queue.workId(i);
    int index = WorkId.link(workId);
    if (index >= links.length || links[index].queuePair().number() != queue.queuePairNumber(i)) {
      failed = true;
      throw new FabricException(
          "unexpected completion of "
              + WorkId.describe(workId)
              + " on queue pair "
              + queue.queuePairNumber(i)
              + "; the provider invented or misdirected it",
          null);
    }
    return links[index];
  }

  @Override
  public void check() {
    for (VerbsDevice device : devices) {
      device.check();
    }
  }

  @Override
  public boolean awaitCompletion() {
    if (events == null) {
      return false;
    }
    events.await();
    return true;
  }

  @Override
  public String describe() {
    List<String> names = new ArrayList<>();
    for (VerbsDevice device : devices) {
      names.add(
          device.name()
              + " (gid "
              + device.gid()
              + ", mtu "
              + IbvNames.mtuBytes(device.port().activeMtu())
              + ")");
    }
    int regions =
        Arrays.stream(devices).mapToInt(device -> device.regions().count()).max().orElse(0);
    return "RDMA, "
        + links.length
        + " "
        + IbvNames.queuePair(plan.queuePair().type())
        + " queue pairs on "
        + String.join(", ", names)
        + ", "
        + plan.slabBytes()
        + " registered bytes"
        + (regions == 1 ? "" : " in " + regions + " regions each");
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    // Before anything is marked as given back.
    owner.check("close");
    closed = true;
    List<Runnable> steps = new ArrayList<>();
    if (connected && !failed) {
      steps.add(this::flush);
    }
    for (VerbsDevice device : devices) {
      steps.add(device::close);
    }
    // Only now can no device write into it any more.
    steps.add(memory::free);
    steps.add(arena::close);
    Cleanup.runAll(steps);
  }

  /** Lets go what was posted: a peer may still need it for its last operation. */
  private void flush() {
    long untilNanos = nanoClock.getAsLong() + FLUSH_NANOS;
    try {
      while (!isFlushed() && nanoClock.getAsLong() - untilNanos < 0) {
        poll(DiscardedCompletions.INSTANCE);
        Thread.onSpinWait();
      }
    } catch (FabricException e) {
      // The links are at their end anyway; whatever mattered has been told.
      LOG.debug("While flushing", e);
    }
  }

  private boolean isFlushed() {
    for (VerbsLink link : links) {
      if (!link.isFlushed()) {
        return false;
      }
    }
    return true;
  }

  private void closeAfter(RuntimeException cause) {
    try {
      close();
    } catch (RuntimeException e) {
      cause.addSuppressed(e);
    }
  }
}
