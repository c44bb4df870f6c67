package io.jaccl4j.collective;

import java.lang.foreign.MemorySegment;

/**
 * Broadcast: the root's data goes to the right from rank to rank, each passing a message on as soon
 * as it has it.
 */
final class RingBroadcast extends RingTransfer {
  private boolean receives;
  private boolean sends;

  RingBroadcast(RingLinks ring) {
    super(ring);
  }

  Collective prepare(MemorySegment data, int root, int tag) {
    int right = (ring.rank() + 1) % ring.size();
    receives = ring.rank() != root;
    sends = right != root;
    reset(data, (ring.rank() + ring.size() - 1) % ring.size(), 0, tag);
    return this;
  }

  @Override
  public void start() {
    for (int ahead = 0; ahead < SendSlots.PIPELINE_DEPTH; ahead++) {
      for (int lane = 0; lane < ring.lanes(); lane++) {
        flow(lane).postReceive();
      }
    }
    progress();
  }

  @Override
  protected void progress() {
    for (int lane = 0; lane < ring.lanes(); lane++) {
      RingFlow flow = flow(lane);
      boolean moved;
      do {
        moved = takeNext(flow);
        moved |= hasNextToSend(flow) && sendNext(flow);
      } while (moved);
    }
  }

  private boolean hasNextToSend(RingFlow flow) {
    return flow.nextOut() >= 0 && (!receives || flow.nextOut() < flow.taken());
  }

  @Override
  protected long messagesOut(int lane) {
    return sends ? messages(lane) : 0;
  }

  @Override
  protected long messagesIn(int lane) {
    return receives ? messages(lane) : 0;
  }

  @Override
  public String awaiting() {
    return receives ? "the next message" : "room for the next message";
  }
}
