package io.jaccl4j.collective;

import io.jaccl4j.WireMode;
import io.jaccl4j.fabric.Fabric;
import io.jaccl4j.fabric.Link;
import io.jaccl4j.fabric.Wire;
import java.util.ArrayList;
import java.util.List;

/**
 * What all ring operations of a group share: the links to both neighbours, several wires each, and
 * the staging slots.
 *
 * <p>Direction 0 sends to the right, to rank + 1, and receives from the left; direction 1 the other
 * way round. In a ring of two both neighbours are the same rank, over two wires a cable. Each wire
 * and direction has two slots, used in turn.
 */
final class RingLinks {
  static final int DIRECTIONS = 2;

  private final int rank;
  private final int size;
  private final WireMode wireMode;
  private final Link[] left;
  private final Link[] right;
  private final int[] laneOfWire;
  private final boolean[] wireIsLeft;
  private final PostedReceives receives;
  private final SendSlots slots;
  private final Traffic traffic = new Traffic();
  private final int[] slotUses;

  RingLinks(int rank, int size, int wiresPerCable, Fabric fabric, WireMode wireMode) {
    this.rank = rank;
    this.size = size;
    this.wireMode = wireMode;
    this.left = new Link[wiresPerCable];
    this.right = new Link[wiresPerCable];
    List<Wire> wires = wires(size, wiresPerCable);
    this.laneOfWire = new int[wires.size()];
    this.wireIsLeft = new boolean[wires.size()];
    for (int lane = 0; lane < wiresPerCable; lane++) {
      int rightWire = RingAlgorithms.wire(rank, lane, wiresPerCable);
      int leftWire = RingAlgorithms.wire(leftOf(rank, size), lane, wiresPerCable);
      right[lane] = fabric.link(rightWire);
      left[lane] = fabric.link(leftWire);
      laneOfWire[rightWire] = lane;
      laneOfWire[leftWire] = lane;
      wireIsLeft[leftWire] = true;
    }
    this.receives = new PostedReceives(wires.size());
    this.slots = new SendSlots(fabric.memory(), wireMode == WireMode.EXACT, wires.size(), traffic);
    this.slotUses = new int[wiresPerCable * DIRECTIONS];
  }

  /** The wires between each rank and its right neighbour. */
  static List<Wire> wires(int size, int wiresPerCable) {
    List<Wire> wires = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      for (int lane = 0; lane < wiresPerCable; lane++) {
        wires.add(new Wire(wires.size(), rank, (rank + 1) % size));
      }
    }
    return wires;
  }

  static int slotsNeeded(int wiresPerCable) {
    return wiresPerCable * DIRECTIONS * SendSlots.PIPELINE_DEPTH;
  }

  private static int leftOf(int rank, int size) {
    return (rank + size - 1) % size;
  }

  int rank() {
    return rank;
  }

  int size() {
    return size;
  }

  int lanes() {
    return right.length;
  }

  WireMode wireMode() {
    return wireMode;
  }

  PostedReceives receives() {
    return receives;
  }

  SendSlots slots() {
    return slots;
  }

  Traffic traffic() {
    return traffic;
  }

  Link sendLink(int lane, int direction) {
    return direction == 0 ? right[lane] : left[lane];
  }

  Link receiveLink(int lane, int direction) {
    return direction == 0 ? left[lane] : right[lane];
  }

  /** Which of its cable's wires a link is. */
  int laneOf(Link link) {
    return laneOfWire[link.wire()];
  }

  /** The direction whose messages come in on a link. */
  int receiveDirectionOf(Link link) {
    return wireIsLeft[link.wire()] ? 0 : 1;
  }

  /** The slot that the next message of a wire and direction is staged in. */
  int slot(int lane, int direction) {
    int flow = lane * DIRECTIONS + direction;
    return flow * SendSlots.PIPELINE_DEPTH + (slotUses[flow] & (SendSlots.PIPELINE_DEPTH - 1));
  }

  void slotUsed(int lane, int direction) {
    slotUses[lane * DIRECTIONS + direction]++;
  }

  /**
   * The direction in which messages go to a neighbour, or -1 if the rank is none. In a ring of two
   * they go to the left, as in JACCL.
   */
  int directionTo(int peer) {
    if (peer == leftOf(rank, size)) {
      return 1;
    }
    return peer == (rank + 1) % size ? 0 : -1;
  }

  /** The direction in which messages come from a neighbour, or -1 if the rank is none. */
  int directionFrom(int peer) {
    if (peer == (rank + 1) % size) {
      return 1;
    }
    return peer == leftOf(rank, size) ? 0 : -1;
  }
}
