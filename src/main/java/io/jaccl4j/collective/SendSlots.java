package io.jaccl4j.collective;

import io.jaccl4j.fabric.Link;
import io.jaccl4j.fabric.RegisteredMemory;
import java.lang.foreign.MemorySegment;

/**
 * What the links still read from: staging slots, each with the number of sends under way from it,
 * and direct sends out of the application's own registered memory.
 *
 * <p>A slot's sends may outlive the operation that staged into it; the next user of the slot waits
 * for them. That takes the peers' acknowledgement off the path of a small operation. Direct sends
 * end with their operation, which gives the memory back to the application.
 */
final class SendSlots {
  /** Messages under way per link and direction, as in JACCL. A power of two. */
  static final int PIPELINE_DEPTH = 2;

  private static final int DIRECT = -1;

  private final RegisteredMemory memory;
  private final boolean directAllowed;
  private final Traffic traffic;
  private final PostedWork[] workOfWire;
  private final int[] underWay;
  private final int[] peerOfWire;
  private final int[] underWayOn;
  private final int[] directUnderWayOn;
  private int directUnderWay;

  /**
   * Slots of one rank.
   *
   * @param directAllowed whether messages may be sent out of the application's memory
   * @param wires number of wires of the group
   */
  SendSlots(RegisteredMemory memory, boolean directAllowed, int wires, Traffic traffic) {
    this.memory = memory;
    this.directAllowed = directAllowed;
    this.traffic = traffic;
    this.workOfWire = new PostedWork[wires];
    for (int wire = 0; wire < wires; wire++) {
      workOfWire[wire] = new PostedWork(PostedWork.Kind.SEND, wire);
    }
    this.underWay = new int[memory.slots()];
    this.peerOfWire = new int[wires];
    this.underWayOn = new int[wires];
    this.directUnderWayOn = new int[wires];
  }

  int slotBytes() {
    return memory.slotBytes();
  }

  MemorySegment segment() {
    return memory.segment();
  }

  long offset(int slot) {
    return memory.slotOffset(slot);
  }

  /** Where a buffer lies in registered memory, or -1 if it must be staged. */
  long directOffset(MemorySegment buffer) {
    return directAllowed ? memory.offsetOf(buffer) : -1;
  }

  boolean isFree(int slot) {
    return underWay[slot] == 0;
  }

  void stage(int slot, MemorySegment source, long sourceOffset, int bytes) {
    MemorySegment.copy(source, sourceOffset, memory.segment(), memory.slotOffset(slot), bytes);
  }

  void send(Link link, int slot, int bytes, int tag) {
    underWay[slot]++;
    post(link, slot, memory.slotOffset(slot), bytes, tag);
  }

  void sendDirect(Link link, long offset, int bytes, int tag) {
    directUnderWay++;
    directUnderWayOn[link.wire()]++;
    post(link, DIRECT, offset, bytes, tag);
  }

  private void post(Link link, int place, long offset, int bytes, int tag) {
    peerOfWire[link.wire()] = link.peer();
    underWayOn[link.wire()]++;
    traffic.sent(bytes);
    link.postSend(workOfWire[link.wire()].post(place), offset, bytes, tag);
  }

  /** Direct sends on all links that have not completed. */
  int directUnderWay() {
    return directUnderWay;
  }

  /** Direct sends on one link that have not completed. */
  int directUnderWayOn(Link link) {
    return directUnderWayOn[link.wire()];
  }

  /** Whether another direct send on the link keeps within the pipeline's depth. */
  boolean hasDirectRoom(Link link) {
    return directUnderWayOn[link.wire()] < PIPELINE_DEPTH;
  }

  /** A peer that has not taken everything sent to it, or -1. */
  int slowestPeer() {
    for (int wire = 0; wire < underWayOn.length; wire++) {
      if (underWayOn[wire] > 0) {
        return peerOfWire[wire];
      }
    }
    return -1;
  }

  void onSendComplete(Link link, long workId) {
    int slot = workOfWire[link.wire()].complete(link, workId);
    underWayOn[link.wire()]--;
    if (slot == DIRECT) {
      directUnderWay--;
      directUnderWayOn[link.wire()]--;
    } else {
      underWay[slot]--;
    }
  }
}
