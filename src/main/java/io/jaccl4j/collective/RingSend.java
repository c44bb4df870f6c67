package io.jaccl4j.collective;

import java.lang.foreign.MemorySegment;

/** Transfer to a neighbour over all wires to it, each with its own part of the data. */
final class RingSend extends RingTransfer {
  RingSend(RingLinks ring) {
    super(ring);
  }

  Collective prepare(MemorySegment data, int peer, int tag) {
    reset(data, peer, ring.directionTo(peer), tag);
    return this;
  }

  @Override
  protected void progress() {
    for (int lane = 0; lane < ring.lanes(); lane++) {
      RingFlow flow = flow(lane);
      while (flow.nextOut() >= 0 && sendNext(flow)) {}
    }
  }

  @Override
  protected long messagesOut(int lane) {
    return messages(lane);
  }

  @Override
  protected long messagesIn(int lane) {
    return 0;
  }

  @Override
  public String awaiting() {
    return "room for the next message (it has not called recv)";
  }
}
