package io.jaccl4j.collective;

import java.lang.foreign.MemorySegment;

/** Transfer from a neighbour over all wires to it. */
final class RingReceive extends RingTransfer {
  RingReceive(RingLinks ring) {
    super(ring);
  }

  Collective prepare(MemorySegment data, int peer, int tag) {
    reset(data, peer, ring.directionFrom(peer), tag);
    return this;
  }

  @Override
  public void start() {
    for (int ahead = 0; ahead < SendSlots.PIPELINE_DEPTH; ahead++) {
      for (int lane = 0; lane < ring.lanes(); lane++) {
        flow(lane).postReceive();
      }
    }
  }

  @Override
  protected void progress() {
    for (int lane = 0; lane < ring.lanes(); lane++) {
      while (takeNext(flow(lane))) {}
    }
  }

  @Override
  protected long messagesOut(int lane) {
    return 0;
  }

  @Override
  protected long messagesIn(int lane) {
    return messages(lane);
  }

  @Override
  public String awaiting() {
    return "the next message (it has not called send)";
  }
}
