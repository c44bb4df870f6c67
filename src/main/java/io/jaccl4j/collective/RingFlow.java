package io.jaccl4j.collective;

import io.jaccl4j.fabric.Link;
import java.lang.foreign.MemorySegment;

/**
 * The messages of one wire in one direction within one step: how many are posted, staged, taken.
 * Both ends compute the same number and sizes.
 */
final class RingFlow {
  private final RingLinks ring;
  private final int lane;
  private final int direction;
  private final Link sendLink;
  private final Link receiveLink;
  private final Arrivals arrivals = new Arrivals();
  private int tag;
  private int capacity;
  private long messagesOut;
  private long messagesIn;
  private long sent;
  private long receivesPosted;
  private long received;
  private long taken;

  RingFlow(RingLinks ring, int lane, int direction) {
    this.ring = ring;
    this.lane = lane;
    this.direction = direction;
    this.sendLink = ring.sendLink(lane, direction);
    this.receiveLink = ring.receiveLink(lane, direction);
  }

  int lane() {
    return lane;
  }

  int direction() {
    return direction;
  }

  void begin(long newMessagesOut, long newMessagesIn, int newCapacity, int newTag) {
    messagesOut = newMessagesOut;
    messagesIn = newMessagesIn;
    capacity = newCapacity;
    tag = newTag;
    sent = 0;
    receivesPosted = 0;
    received = 0;
    taken = 0;
  }

  /**
   * Whether the step is over for this flow. What was sent out of the application's memory must have
   * left it: a later step writes there.
   */
  boolean isDrained() {
    return sent == messagesOut
        && taken == messagesIn
        && ring.slots().directUnderWayOn(sendLink) == 0;
  }

  boolean mayPostReceive() {
    return receivesPosted < messagesIn && receivesPosted - taken < SendSlots.PIPELINE_DEPTH;
  }

  void postReceive() {
    if (mayPostReceive()) {
      receivesPosted++;
      ring.receives().post(receiveLink, capacity);
    }
  }

  /** Number of the next message out, or -1 if all are posted. */
  long nextOut() {
    return sent < messagesOut ? sent : -1;
  }

  /** The slot for the next message, or -1 if it is still being read. */
  int freeSlot() {
    int slot = ring.slot(lane, direction);
    return ring.slots().isFree(slot) ? slot : -1;
  }

  void sendStaged(int slot, int bytes) {
    ring.slots().send(sendLink, slot, bytes, tag);
    ring.slotUsed(lane, direction);
    sent++;
  }

  boolean hasDirectRoom() {
    return ring.slots().hasDirectRoom(sendLink);
  }

  void sendDirect(long offset, int bytes) {
    ring.slots().sendDirect(sendLink, offset, bytes, tag);
    sent++;
  }

  /** Number of the message that comes in next. */
  long nextIn() {
    return received;
  }

  void arrived(MemorySegment memory, long offset) {
    received++;
    arrivals.add(memory, offset);
  }

  boolean hasArrival() {
    return !arrivals.isEmpty();
  }

  Arrivals arrivals() {
    return arrivals;
  }

  long taken() {
    return taken;
  }

  long messagesIn() {
    return messagesIn;
  }

  void take() {
    arrivals.remove();
    taken++;
    receiveLink.release();
    postReceive();
  }

  int sourcePeer() {
    return receiveLink.peer();
  }
}
