package io.jaccl4j.collective;

import io.jaccl4j.WireMode;
import io.jaccl4j.fabric.Link;
import java.lang.foreign.MemorySegment;

/**
 * What sending to and receiving from a neighbour have in common: each wire carries an equal part of
 * the data, the last ones less or nothing.
 */
abstract class RingTransfer implements Collective {
  protected final RingLinks ring;
  protected final SendSlots slots;
  private final RingFlow[][] flows;
  private final boolean wholeBuffers;
  private MemorySegment data;
  private int peer;
  private int direction;
  private long directOffset;
  private long laneBytes;
  private int messageBytes;
  private int tag;

  RingTransfer(RingLinks ring) {
    this.ring = ring;
    this.slots = ring.slots();
    this.wholeBuffers = ring.wireMode() == WireMode.MLX;
    this.flows = new RingFlow[RingLinks.DIRECTIONS][ring.lanes()];
    for (int d = 0; d < RingLinks.DIRECTIONS; d++) {
      for (int lane = 0; lane < ring.lanes(); lane++) {
        flows[d][lane] = new RingFlow(ring, lane, d);
      }
    }
  }

  protected final void reset(MemorySegment newData, int newPeer, int newDirection, int newTag) {
    data = newData;
    peer = newPeer;
    direction = newDirection;
    tag = newTag;
    directOffset = slots.directOffset(data);
    laneBytes = (data.byteSize() + ring.lanes() - 1) / ring.lanes();
    messageBytes = BufferClass.messageBytes(laneBytes, slots.slotBytes());
    for (int lane = 0; lane < ring.lanes(); lane++) {
      flow(lane).begin(messagesOut(lane), messagesIn(lane), messageBytes, tag);
    }
  }

  protected abstract long messagesOut(int lane);

  protected abstract long messagesIn(int lane);

  /** Does whatever can be done now. */
  protected abstract void progress();

  protected final RingFlow flow(int lane) {
    return flows[direction][lane];
  }

  protected final long messages(int lane) {
    return (length(lane) + messageBytes - 1) / messageBytes;
  }

  private long length(int lane) {
    return Math.max(0, Math.min(laneBytes, data.byteSize() - lane * laneBytes));
  }

  private long offset(int lane, long message) {
    return lane * laneBytes + message * messageBytes;
  }

  private int payload(int lane, long message) {
    return (int) Math.min(messageBytes, length(lane) - message * messageBytes);
  }

  private int wireBytes(int lane, long message) {
    return wholeBuffers ? messageBytes : payload(lane, message);
  }

  /** Stages or sends the next message, if there is room. */
  protected final boolean sendNext(RingFlow flow) {
    long message = flow.nextOut();
    long offset = offset(flow.lane(), message);
    int bytes = payload(flow.lane(), message);
    if (directOffset >= 0) {
      if (!flow.hasDirectRoom()) {
        return false;
      }
      flow.sendDirect(directOffset + offset, bytes);
      return true;
    }
    int slot = flow.freeSlot();
    if (slot < 0) {
      return false;
    }
    slots.stage(slot, data, offset, bytes);
    flow.sendStaged(slot, wireBytes(flow.lane(), message));
    return true;
  }

  /** Copies the next message out, if it is there. */
  protected final boolean takeNext(RingFlow flow) {
    if (!flow.hasArrival()) {
      return false;
    }
    MemorySegment.copy(
        flow.arrivals().memory(),
        flow.arrivals().offset(),
        data,
        offset(flow.lane(), flow.taken()),
        payload(flow.lane(), flow.taken()));
    flow.take();
    return true;
  }

  @Override
  public void start() {
    progress();
  }

  @Override
  public final void onSendComplete(Link link, long workId) {
    slots.onSendComplete(link, workId);
    progress();
  }

  @Override
  public final void onReceive(
      Link link, long workId, MemorySegment memory, long offset, int bytes, int immediate) {
    ring.receives().complete(link, workId);
    int lane = ring.laneOf(link);
    OperationTag.check(link.peer(), immediate, tag);
    RingFlow flow = flow(lane);
    OperationTag.checkLength(
        link.peer(), flow.nextIn(), bytes, wireBytes(lane, flow.nextIn()), tag);
    ring.traffic().received(bytes);
    flow.arrived(memory, offset);
    progress();
  }

  @Override
  public final boolean isDone() {
    for (int lane = 0; lane < ring.lanes(); lane++) {
      if (!flow(lane).isDrained()) {
        return false;
      }
    }
    return slots.directUnderWay() == 0;
  }

  @Override
  public final int awaitedPeer() {
    return peer;
  }
}
