package io.jaccl4j.fabric.verbs;

import io.jaccl4j.WireMode;
import io.jaccl4j.fabric.Cleanup;
import io.jaccl4j.fabric.CompletionHandler;
import io.jaccl4j.fabric.FabricException;
import io.jaccl4j.fabric.FabricRequest;
import io.jaccl4j.fabric.JacclFabric;
import io.jaccl4j.fabric.Link;
import io.jaccl4j.fabric.ProvenFabric;
import io.jaccl4j.fabric.RegisteredMemory;
import io.jaccl4j.fabric.verbs.abi.IbvConstants;
import io.jaccl4j.fabric.verbs.abi.IbvNames;
import io.jaccl4j.fabric.verbs.abi.Ibverbs;
import io.jaccl4j.fabric.verbs.abi.OwnerThread;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The queue pairs of one rank. */
final class VerbsFabric implements JacclFabric, ProvenFabric {
  private static final Logger LOG = LoggerFactory.getLogger(VerbsFabric.class);

  /** What was sent last must leave before its queue pair goes. */
  private static final long FLUSH_NANOS = 500_000_000;

  /** What JACCL writes where there is no connection. */
  private static final int NO_LID = -1;

  private final OwnerThread owner;
  private final FabricRequest request;
  private final LongSupplier nanoClock;
  private final Arena arena = Arena.ofConfined();
  private final VerbsPlan plan;
  private final VerbsDevice[] devices;
  private final VerbsMemory memory;
  private final VerbsLinks table;
  private final VerbsLink[] links;
  private final CompletionEvents events;

  /** What the ranks have told, by rank. */
  private final List<VerbsDestination> peers = new ArrayList<>();

  /** Which ends were found to belong together, for people; empty if it is as configured. */
  private String pairing = "";

  private boolean connected;
  private boolean failed;
  private FabricException failure;
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
    this.owner = OwnerThread.current(request.calls()::begin);
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
    this.table = new VerbsLinks(request, plan, memory, arena);
    this.links = table.all();
    boolean sleeps = request.settings().idle().events() && verbs.hasCompletionChannels();
    try {
      for (VerbsDevice device : devices) {
        int linksOfDevice =
            (int) deviceOfWire.values().stream().filter(other -> other == device).count();
        device.allocate(arena, plan.completionEntries(linksOfDevice), sleeps, memory.segment());
      }
      table.make(deviceOfWire);
      events = sleeps ? new CompletionEvents(verbs, devices, arena) : null;
    } catch (RuntimeException e) {
      closeAfter(e);
      throw e;
    }
  }

  @Override
  public String name() {
    return VerbsFabricProvider.NAME;
  }

  @Override
  public byte[] destination() {
    return table.destination(table.devices().keySet()).encode();
  }

  @Override
  public void connect(List<byte[]> destinations) {
    peers.clear();
    for (int rank = 0; rank < destinations.size(); rank++) {
      peers.add(VerbsDestination.decode(rank, destinations.get(rank)));
    }
    for (VerbsLink link : links) {
      table.connect(link, peers.get(link.peer()));
    }
    connected = true;
  }

  @Override
  public Map<Integer, String> prove(Gathering gathering, long remainingNanos) {
    if (request.settings().wire() == WireMode.MLX) {
      // A message of JACCL's has no room for a name.
      return Map.of();
    }
    WireProof proof = new WireProof(request, table, memory, devices, peers, gathering, nanoClock);
    Map<Integer, String> useless = proof.run(remainingNanos);
    pairing = proof.pairing();
    return useless;
  }

  @Override
  public byte[] jacclDestination(int wire) {
    return encode(table.address(table.ofWire(wire)));
  }

  @Override
  public byte[] jacclSelf() {
    return encode(new QueuePairAddress(NO_LID, 0, VerbsLinks.JACCL_PSN, new byte[Gid.BYTES]));
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
            request.members().get(link.peer())
                + " tells no queue pair for "
                + link.describe()
                + "; do all ranks have the same device matrix?",
            null);
      }
      int mtu = Math.min(IbvConstants.IBV_MTU_1024, link.device().port().activeMtu());
      table.connect(link, peer, mtu, "unknown");
    }
    connected = true;
  }

  @Override
  public void established() {}

  @Override
  public Link link(int wire) {
    return table.ofWire(wire);
  }

  @Override
  public RegisteredMemory memory() {
    return memory;
  }

  @Override
  public int poll(CompletionHandler handler) {
    if (failure != null) {
      throw failure;
    }
    int found = take();
    for (VerbsLink link : links) {
      found += link.deliver(handler);
    }
    return found;
  }

  /** A send that waits for credit goes on when the credit comes, whatever this rank does then. */
  @Override
  public boolean progress() {
    if (failure != null || !holdsSends()) {
      return false;
    }
    try {
      take();
    } catch (FabricException e) {
      // Between operations nobody awaits anything; the next one throws it.
      failure = e;
      return false;
    }
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
      throw FailedCompletions.firstCause(queue, i, count, table::of);
    }
    link.onCompletion(queue, i);
  }

  private VerbsLink linkOf(CompletionQueue queue, int i) {
    try {
      return table.of(queue, i);
    } catch (FabricException e) {
      failed = true;
      throw e;
    }
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
        + " queue pairs"
        + pairing
        + " on "
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
