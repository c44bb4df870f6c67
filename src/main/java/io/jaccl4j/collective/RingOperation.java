package io.jaccl4j.collective;

import io.jaccl4j.WireMode;
import io.jaccl4j.fabric.Link;
import io.jaccl4j.reduce.ReduceKernel;
import java.lang.foreign.MemorySegment;

/**
 * One collective around the ring. All wires and both directions advance independently, driven by
 * their completions; within a wire a step is drained in both directions before the next begins.
 *
 * <p>In a reducing step {@code out = op(own input, received)}, in a gathering step {@code out =
 * received}. What is received in one step is what is sent in the next.
 */
final class RingOperation implements Collective {
  private final RingLinks ring;
  private final SendSlots slots;
  private final RingPlan plan;
  private final RingFlow[][] flows;
  private final int[] stepOfLane;
  private final boolean wholeBuffers;
  private ReduceKernel kernel;
  private int elementBytes;
  private int reducingSteps;
  private MemorySegment in;
  private MemorySegment out;
  private boolean outIsOneChunk;
  private long inDirect;
  private long outDirect;
  private int messageBytes;
  private int tag;

  RingOperation(RingLinks ring) {
    this.ring = ring;
    this.slots = ring.slots();
    this.plan = new RingPlan(ring.rank(), ring.size());
    this.wholeBuffers = ring.wireMode() == WireMode.MLX;
    this.stepOfLane = new int[ring.lanes()];
    this.flows = new RingFlow[ring.lanes()][RingLinks.DIRECTIONS];
    for (int lane = 0; lane < ring.lanes(); lane++) {
      for (int direction = 0; direction < RingLinks.DIRECTIONS; direction++) {
        flows[lane][direction] = new RingFlow(ring, lane, direction);
      }
    }
  }

  /** The arithmetic to lay out before {@link #prepare}. */
  RingPlan plan() {
    return plan;
  }

  /**
   * Prepares the operation that the plan describes.
   *
   * @param newReducingSteps the first so many steps reduce, the rest gather
   * @param newIn array of own values; first sent from
   * @param newOut where results go: an array like the input, or one chunk that partial results pass
   *     through
   */
  Collective prepare(
      ReduceKernel newKernel,
      int newElementBytes,
      int newReducingSteps,
      MemorySegment newIn,
      MemorySegment newOut,
      boolean newOutIsOneChunk,
      int newTag) {
    kernel = newKernel;
    elementBytes = newElementBytes;
    reducingSteps = newReducingSteps;
    in = newIn;
    out = newOut;
    outIsOneChunk = newOutIsOneChunk;
    tag = newTag;
    inDirect = slots.directOffset(in);
    // A partial result in the one chunk is overwritten while the peer might still read it: stage.
    outDirect = outIsOneChunk ? -1 : slots.directOffset(out);
    messageBytes = BufferClass.messageBytes(plan.sliceBytes(), slots.slotBytes());
    return this;
  }

  @Override
  public void start() {
    for (int lane = 0; lane < plan.lanes(); lane++) {
      stepOfLane[lane] = 0;
      if (plan.steps() > 0) {
        beginStep(lane);
      }
    }
    for (int lane = 0; lane < plan.lanes(); lane++) {
      progress(lane);
    }
  }

  private void beginStep(int lane) {
    int step = stepOfLane[lane];
    for (int direction = 0; direction < plan.directions(); direction++) {
      flows[lane][direction].begin(
          messages(plan.sendChunk(step, direction), direction, lane),
          messages(plan.receiveChunk(step, direction), direction, lane),
          messageBytes,
          tag);
    }
    for (int ahead = 0; ahead < SendSlots.PIPELINE_DEPTH; ahead++) {
      for (int direction = 0; direction < plan.directions(); direction++) {
        flows[lane][direction].postReceive();
      }
      for (int direction = 0; direction < plan.directions(); direction++) {
        sendNext(flows[lane][direction], step);
      }
    }
  }

  /** JACCL exchanges the messages of a full slice even where the slice is short or empty. */
  private long messages(int chunk, int direction, int lane) {
    long bytes = wholeBuffers ? plan.sliceBytes() : plan.sliceLength(chunk, direction, lane);
    return (bytes + messageBytes - 1) / messageBytes;
  }

  private int payload(int chunk, int direction, int lane, long message) {
    long left = plan.sliceLength(chunk, direction, lane) - message * messageBytes;
    return (int) Math.max(0, Math.min(messageBytes, left));
  }

  private void progress(int lane) {
    while (stepOfLane[lane] < plan.steps()) {
      int step = stepOfLane[lane];
      boolean moved = false;
      boolean drained = true;
      for (int direction = 0; direction < plan.directions(); direction++) {
        RingFlow flow = flows[lane][direction];
        moved |= sendNext(flow, step);
        moved |= takeNext(flow, step);
        drained &= flow.isDrained();
      }
      if (drained) {
        stepOfLane[lane]++;
        if (stepOfLane[lane] < plan.steps()) {
          beginStep(lane);
        }
      } else if (!moved) {
        return;
      }
    }
  }

  private boolean sendNext(RingFlow flow, int step) {
    long message = flow.nextOut();
    if (message < 0) {
      return false;
    }
    int chunk = plan.sendChunk(step, flow.direction());
    int bytes = payload(chunk, flow.direction(), flow.lane(), message);
    boolean fromInput = step == 0 && reducingSteps > 0;
    long offset = plan.sliceBegin(chunk, flow.direction(), flow.lane()) + message * messageBytes;
    if (!fromInput && outIsOneChunk) {
      offset -= chunk * plan.chunkBytes();
    }
    long direct = fromInput ? inDirect : outDirect;
    if (direct >= 0) {
      if (!flow.hasDirectRoom()) {
        return false;
      }
      flow.sendDirect(direct + offset, bytes);
      return true;
    }
    int slot = flow.freeSlot();
    if (slot < 0) {
      return false;
    }
    if (bytes > 0) {
      slots.stage(slot, fromInput ? in : out, offset, bytes);
    }
    flow.sendStaged(slot, wholeBuffers ? messageBytes : bytes);
    return true;
  }

  private boolean takeNext(RingFlow flow, int step) {
    // In the one chunk, a place is written again only after what it held was staged.
    if (!flow.hasArrival() || (outIsOneChunk && flow.nextOut() == flow.taken())) {
      return false;
    }
    int chunk = plan.receiveChunk(step, flow.direction());
    int bytes = payload(chunk, flow.direction(), flow.lane(), flow.taken());
    if (bytes > 0) {
      long offset =
          plan.sliceBegin(chunk, flow.direction(), flow.lane()) + flow.taken() * messageBytes;
      long outOffset = outIsOneChunk ? offset - chunk * plan.chunkBytes() : offset;
      Arrivals arrived = flow.arrivals();
      if (step < reducingSteps) {
        kernel.reduce(
            out, outOffset, in, offset, arrived.memory(), arrived.offset(), bytes / elementBytes);
      } else {
        MemorySegment.copy(arrived.memory(), arrived.offset(), out, outOffset, bytes);
      }
    }
    flow.take();
    return true;
  }

  @Override
  public void onSendComplete(Link link, long workId) {
    slots.onSendComplete(link, workId);
    int lane = ring.laneOf(link);
    if (lane < plan.lanes()) {
      progress(lane);
    }
  }

  @Override
  public void onReceive(
      Link link, long workId, MemorySegment memory, long offset, int bytes, int immediate) {
    ring.receives().complete(link, workId);
    int lane = ring.laneOf(link);
    int direction = ring.receiveDirectionOf(link);
    OperationTag.check(link.peer(), immediate, tag);
    RingFlow flow = flows[lane][direction];
    int chunk = plan.receiveChunk(stepOfLane[lane], direction);
    int wantBytes = wholeBuffers ? messageBytes : payload(chunk, direction, lane, flow.nextIn());
    OperationTag.checkLength(link.peer(), flow.nextIn(), bytes, wantBytes, tag);
    ring.traffic().received(bytes);
    flow.arrived(memory, offset);
    progress(lane);
  }

  @Override
  public boolean isDone() {
    return waitingLane() < 0 && slots.directUnderWay() == 0;
  }

  private int waitingLane() {
    for (int lane = 0; lane < plan.lanes(); lane++) {
      if (stepOfLane[lane] < plan.steps()) {
        return lane;
      }
    }
    return -1;
  }

  private RingFlow waitingFlow() {
    int lane = waitingLane();
    if (lane >= 0) {
      for (int direction = 0; direction < plan.directions(); direction++) {
        RingFlow flow = flows[lane][direction];
        if (flow.taken() < flow.messagesIn()) {
          return flow;
        }
      }
    }
    return null;
  }

  @Override
  public int awaitedPeer() {
    RingFlow flow = waitingFlow();
    return flow == null ? slots.slowestPeer() : flow.sourcePeer();
  }

  @Override
  public String awaiting() {
    RingFlow flow = waitingFlow();
    return flow == null
        ? "its acknowledgement of earlier messages"
        : "message "
            + flow.taken()
            + " of "
            + flow.messagesIn()
            + " in step "
            + stepOfLane[flow.lane()]
            + " of "
            + plan.steps()
            + " on wire "
            + flow.lane();
  }
}
