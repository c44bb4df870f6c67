package io.jaccl4j.fabric.verbs;

import io.jaccl4j.GroupMember;
import io.jaccl4j.WireMode;
import io.jaccl4j.fabric.FabricException;
import io.jaccl4j.fabric.FabricRequest;
import io.jaccl4j.fabric.Wire;
import io.jaccl4j.fabric.verbs.abi.IbvConstants;
import io.jaccl4j.fabric.verbs.abi.IbvNames;
import java.lang.foreign.Arena;
import java.security.SecureRandom;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The links of one rank: makes them with their queue pairs, connects them, and deals completions to
 * them.
 */
final class VerbsLinks {
  private static final Logger LOG = LoggerFactory.getLogger(VerbsLinks.class);

  /** JACCL's, a constant of its wire. */
  static final int JACCL_PSN = 7;

  private static final int PSN_BITS = 24;

  private final FabricRequest request;
  private final VerbsPlan plan;
  private final VerbsMemory memory;
  private final Arena arena;
  private final SecureRandom random = new SecureRandom();
  private final VerbsLink[] links;
  private final VerbsLink[] linkOfWire;
  private final int[] psns;

  /** No links yet. */
  VerbsLinks(FabricRequest request, VerbsPlan plan, VerbsMemory memory, Arena arena) {
    this.request = request;
    this.plan = plan;
    this.memory = memory;
    this.arena = arena;
    this.links = new VerbsLink[plan.links()];
    this.linkOfWire = new VerbsLink[request.wires().size()];
    this.psns = new int[plan.links()];
  }

  /** Makes all links, with queue pairs in {@code INIT}. */
  void make(Map<Integer, VerbsDevice> deviceOfWire) {
    int index = 0;
    for (Wire wire : request.wires()) {
      if (wire.ends(request.rank())) {
        make(index++, wire, deviceOfWire.get(wire.number()));
      }
    }
  }

  /**
   * Makes links anew, on other devices perhaps; what was under way on them is lost.
   *
   * @param deviceOfWire for every wire that is concerned
   * @return by number of another wire, how it was found to have failed
   */
  Map<Integer, String> remake(Map<Integer, VerbsDevice> deviceOfWire) {
    Set<Integer> destroyed =
        deviceOfWire.keySet().stream()
            .map(wire -> linkOfWire[wire].queuePair().number())
            .collect(Collectors.toSet());
    Set<VerbsDevice> left =
        deviceOfWire.keySet().stream()
            .map(wire -> linkOfWire[wire].device())
            .collect(Collectors.toSet());
    // All of them before the first new one: a device may have room for no more.
    for (int wire : deviceOfWire.keySet()) {
      linkOfWire[wire].device().destroy(linkOfWire[wire].queuePair());
    }
    Map<Integer, String> failed = new TreeMap<>();
    left.forEach(device -> discard(device.completions(), destroyed, failed));
    deviceOfWire.forEach(
        (wire, device) -> make(linkOfWire[wire].index(), request.wires().get(wire), device));
    return failed;
  }

  /** Some providers keep completions of queue pairs that are gone. */
  private void discard(CompletionQueue queue, Set<Integer> destroyed, Map<Integer, String> failed) {
    for (int count = queue.poll(); count > 0; count = queue.poll()) {
      for (int i = 0; i < count; i++) {
        if (destroyed.contains(queue.queuePairNumber(i))) {
          continue;
        }
        VerbsLink kept = of(queue, i);
        if (queue.status(i) == IbvConstants.IBV_WC_SUCCESS) {
          kept.onCompletion(queue, i);
        } else {
          failed.putIfAbsent(
              kept.wire(), IbvNames.status(queue.status(i)) + IbvNames.statusHint(queue.status(i)));
        }
      }
    }
  }

  private void make(int index, Wire wire, VerbsDevice device) {
    String label = VerbsLink.describe(device.name(), wire.number(), wire.peerOf(request.rank()));
    QueuePair queuePair = device.queuePair(plan.queuePair(), label);
    links[index] = link(index, wire, device, queuePair);
    linkOfWire[wire.number()] = links[index];
    // Packets that an earlier queue pair of the same number still has under way do not fit.
    psns[index] = isWhole() ? JACCL_PSN : random.nextInt(1 << PSN_BITS);
  }

  private boolean isWhole() {
    return request.settings().wire() == WireMode.MLX;
  }

  private VerbsLink link(int index, Wire wire, VerbsDevice device, QueuePair queuePair) {
    return isWhole()
        ? new WholeBufferLink(index, request.rank(), wire, device, queuePair, memory, arena)
        : new CreditLink(index, request.rank(), wire, device, queuePair, memory, arena);
  }

  /** All of them, by index; not to be changed. */
  VerbsLink[] all() {
    return links;
  }

  /** This rank's end of a wire, or null. */
  VerbsLink ofWire(int wire) {
    return linkOfWire[wire];
  }

  /** Which device each wire of this rank uses. */
  Map<Integer, VerbsDevice> devices() {
    Map<Integer, VerbsDevice> devices = new TreeMap<>();
    for (VerbsLink link : links) {
      devices.put(link.wire(), link.device());
    }
    return devices;
  }

  /** What the other ends of some of the wires must know. */
  VerbsDestination destination(Collection<Integer> wires) {
    Map<Integer, VerbsDestination.End> ends = new LinkedHashMap<>();
    for (int wire : wires) {
      VerbsLink link = linkOfWire[wire];
      VerbsDevice device = link.device();
      ends.put(
          wire, new VerbsDestination.End(device.name(), device.port().activeMtu(), address(link)));
    }
    return new VerbsDestination(plan.queuePair().type(), ends);
  }

  QueuePairAddress address(VerbsLink link) {
    VerbsDevice device = link.device();
    return new QueuePairAddress(
        device.port().lid(), link.queuePair().number(), psns[link.index()], device.gid().bytes());
  }

  /** Connects a link to what its peer has told. */
  void connect(VerbsLink link, VerbsDestination peer) {
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

  /**
   * Connects a link, and lets it begin.
   *
   * @param mtu of the header's MTUs
   * @param peerDevice for people
   */
  void connect(VerbsLink link, QueuePairAddress peer, int mtu, String peerDevice) {
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
          link.peer(),
          e.getMessage()
              + "; the peer is "
              + member(link.peer())
              + " with its device "
              + peerDevice,
          e);
    }
    link.start();
  }

  private GroupMember member(int rank) {
    return request.members().get(rank);
  }

  /** The link of a completion. */
  VerbsLink of(CompletionQueue queue, int i) {
    long workId = queue.workId(i);
    int index = WorkId.link(workId);
    if (index >= links.length || links[index].queuePair().number() != queue.queuePairNumber(i)) {
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
}
