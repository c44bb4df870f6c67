package io.jaccl4j.collective;

import io.jaccl4j.WireMode;
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
  private final int rank;
  private final WireMode wire;
  private final Link[] links;
  private final PostedReceives receives;
  private final SendSlots slots;
  private final boolean passesOn;
  private final Traffic traffic = new Traffic();
  private int broadcasts;
  private final int[] unicasts;

  MeshLinks(int rank, int size, Fabric fabric, WireMode wire) {
    this.rank = rank;
    this.wire = wire;
    this.links = new Link[size];
    List<Wire> wires = wires(size);
    for (Wire one : wires) {
      if (one.ends(rank)) {
        links[one.peerOf(rank)] = fabric.link(one.number());
      }
    }
    this.receives = new PostedReceives(wires.size());
    this.slots = new SendSlots(fabric.memory(), wire == WireMode.EXACT, wires.size(), traffic);
    this.unicasts = new int[size];
    this.passesOn =
        wire == WireMode.EXACT && fabric.prefersFewMessages() && BruckGather.hasFewerMessages(size);
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
    return SendSlots.PIPELINE_DEPTH * (size + 1) + 1;
  }

  int rank() {
    return rank;
  }

  int size() {
    return links.length;
  }

  WireMode wire() {
    return wire;
  }

  /** Whether small blocks are passed on from rank to rank ({@link BruckGather}). */
  boolean passesOn() {
    return passesOn;
  }

  Link link(int peer) {
    return links[peer];
  }

  PostedReceives receives() {
    return receives;
  }

  SendSlots slots() {
    return slots;
  }

  /** Whether every link has room for another direct send. */
  boolean hasDirectRoomToAll() {
    for (Link link : links) {
      if (link != null && !slots.hasDirectRoom(link)) {
        return false;
      }
    }
    return true;
  }

  Traffic traffic() {
    return traffic;
  }

  /** The slot that the next broadcast is staged in. */
  int broadcastSlot() {
    return broadcasts & (SendSlots.PIPELINE_DEPTH - 1);
  }

  void broadcastUsed() {
    broadcasts++;
  }

  /** The slot that the next message to one peer is staged in. */
  int unicastSlot(int peer) {
    return SendSlots.PIPELINE_DEPTH * (peer + 1)
        + (unicasts[peer] & (SendSlots.PIPELINE_DEPTH - 1));
  }

  void unicastUsed(int peer) {
    unicasts[peer]++;
  }

  int scratchSlot() {
    return SendSlots.PIPELINE_DEPTH * (size() + 1);
  }
}
