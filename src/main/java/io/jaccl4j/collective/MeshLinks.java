package io.jaccl4j.collective;

import io.jaccl4j.fabric.Fabric;
import io.jaccl4j.fabric.Link;
import io.jaccl4j.fabric.Wire;
import java.util.ArrayList;
import java.util.List;

/**
 * What all mesh operations of a group share: a link to every peer and the staging slots.
 *
 * <pre>
 * slots   0 .. 1                 broadcast, used in turn: one staging, a send to every peer
 *         2 + 2p, 3 + 2p         to peer p alone, used in turn
 *         2 + 2 * size           scratch, never sent from
 * </pre>
 */
final class MeshLinks {
  /** Messages under way per link and direction, as in JACCL. */
  static final int PIPELINE_DEPTH = 2;

  private final int rank;
  private final Link[] links;
  private final PostedWork[] receives;
  private final SendSlots slots;
  private final Traffic traffic = new Traffic();
  private int broadcasts;
  private final int[] unicasts;

  MeshLinks(int rank, int size, Fabric fabric) {
    this.rank = rank;
    this.links = new Link[size];
    this.receives = new PostedWork[size];
    for (Wire wire : wires(size)) {
      if (wire.ends(rank)) {
        links[wire.peerOf(rank)] = fabric.link(wire.number());
        receives[wire.peerOf(rank)] = new PostedWork(PostedWork.Kind.RECEIVE, wire.number());
      }
    }
    this.slots = new SendSlots(fabric.memory(), links, traffic);
    this.unicasts = new int[size];
  }

  /** One wire for each pair of ranks. */
  static List<Wire> wires(int size) {
    List<Wire> wires = new ArrayList<>();
    for (int first = 0; first < size; first++) {
      for (int second = first + 1; second < size; second++) {
        wires.add(new Wire(wires.size(), first, second));
      }
    }
    return wires;
  }

  /** Slots that a mesh of so many ranks needs. */
  static int slotsNeeded(int size) {
    return PIPELINE_DEPTH * (size + 1) + 1;
  }

  int rank() {
    return rank;
  }

  int size() {
    return links.length;
  }

  Link link(int peer) {
    return links[peer];
  }

  void postReceive(int peer, int capacityBytes) {
    links[peer].postReceive(receives[peer].post(), capacityBytes);
  }

  /** Refuses a completion that is not that of the oldest receive posted. */
  void checkReceived(Link link, long workId) {
    receives[link.peer()].complete(link, workId);
  }

  SendSlots slots() {
    return slots;
  }

  Traffic traffic() {
    return traffic;
  }

  /** The slot that the next broadcast is staged in. */
  int broadcastSlot() {
    return broadcasts & (PIPELINE_DEPTH - 1);
  }

  void broadcastUsed() {
    broadcasts++;
  }

  /** The slot that the next message to one peer is staged in. */
  int unicastSlot(int peer) {
    return PIPELINE_DEPTH * (peer + 1) + (unicasts[peer] & (PIPELINE_DEPTH - 1));
  }

  void unicastUsed(int peer) {
    unicasts[peer]++;
  }

  int scratchSlot() {
    return PIPELINE_DEPTH * (size() + 1);
  }
}
