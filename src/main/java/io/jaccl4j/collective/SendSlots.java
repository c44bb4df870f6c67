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
  private static final int DIRECT = -1;

  private final RegisteredMemory memory;
  private final Traffic traffic;
  private final PostedWork[] posted;
  private final int[] underWay;
  private final int[] underWayTo;
  private final int[] directUnderWayTo;
  private int directUnderWay;

  SendSlots(RegisteredMemory memory, Link[] links, Traffic traffic) {
    this.traffic = traffic;
    this.memory = memory;
    this.posted = new PostedWork[links.length];
    for (Link link : links) {
      if (link != null) {
        posted[link.peer()] = new PostedWork(PostedWork.Kind.SEND, link.wire());
      }
    }
    this.underWay = new int[memory.slots()];
    this.underWayTo = new int[links.length];
    this.directUnderWayTo = new int[links.length];
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
    return memory.offsetOf(buffer);
  }

  boolean isFree(int slot) {
    return underWay[slot] == 0;
  }

  void stage(int slot, MemorySegment source, long sourceOffset, int bytes) {
    MemorySegment.copy(source, sourceOffset, memory.segment(), memory.slotOffset(slot), bytes);
  }

  void send(Link link, int slot, int bytes, int tag) {
    underWay[slot]++;
    underWayTo[link.peer()]++;
    traffic.sent(bytes);
    link.postSend(posted[link.peer()].post(slot), memory.slotOffset(slot), bytes, tag);
  }

  void sendDirect(Link link, long offset, int bytes, int tag) {
    directUnderWay++;
    underWayTo[link.peer()]++;
    directUnderWayTo[link.peer()]++;
    traffic.sent(bytes);
    link.postSend(posted[link.peer()].post(DIRECT), offset, bytes, tag);
  }

  /** Direct sends to all peers that have not completed. */
  int directUnderWay() {
    return directUnderWay;
  }

  /** Whether another direct send to the peer keeps within the pipeline's depth. */
  boolean hasDirectRoom(int peer) {
    return directUnderWayTo[peer] < MeshLinks.PIPELINE_DEPTH;
  }

  /** The lowest peer that has not taken everything sent to it, or -1. */
  int slowestPeer() {
    for (int peer = 0; peer < underWayTo.length; peer++) {
      if (underWayTo[peer] > 0) {
        return peer;
      }
    }
    return -1;
  }

  void onSendComplete(Link link, long workId) {
    int slot = posted[link.peer()].complete(link, workId);
    underWayTo[link.peer()]--;
    if (slot == DIRECT) {
      directUnderWay--;
      directUnderWayTo[link.peer()]--;
    } else {
      underWay[slot]--;
    }
  }
}
