package io.jaccl4j.testing.emulated;

import io.jaccl4j.fabric.FabricException;
import io.jaccl4j.fabric.Link;
import io.jaccl4j.fabric.LinkCounters;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** One rank's end of a wire. Takes the network's lock for whatever both ends see. */
final class EmulatedLink implements Link {
  static final int DEPTH = 8;

  private final EmulatedNetwork network;
  private final RankState state;
  private final int rank;
  private final int wire;
  private final int peer;
  private final Channel out;
  private final Channel in;
  private final EmulatedMemory memory;
  private final ReceiveSlots slots;
  private final Deque<ReceiveRequest> readable = new ArrayDeque<>();
  private long sendsPosted;
  private long sendsComplete;
  private long receivesPosted;
  private long delivered;
  private long released;

  EmulatedLink(EmulatedNetwork network, int rank, int wire, int peer, EmulatedMemory memory) {
    this.network = network;
    this.rank = rank;
    this.wire = wire;
    this.peer = peer;
    this.memory = memory;
    this.state = network.state(rank);
    this.out = network.channel(wire, rank);
    this.in = network.channel(wire, peer);
    this.slots = new ReceiveSlots(memory.slotBytes(), network.live());
    network.live().made(LiveObjects.Kind.LINK);
  }

  @Override
  public int peer() {
    return peer;
  }

  @Override
  public int wire() {
    return wire;
  }

  @Override
  public int depth() {
    return DEPTH;
  }

  @Override
  public void postReceive(long workId, int capacityBytes) {
    synchronized (network) {
      check(capacityBytes, in.receivesUnderWay(), WorkKind.RECEIVE);
      PostFault fault = state.beginPost(WorkKind.RECEIVE, wire, peer);
      long number = state.nextNumber(WorkKind.RECEIVE);
      WorkStatus status = network.script().status(rank, WorkKind.RECEIVE, number);
      in.postReceive(new ReceiveRequest(workId, number, capacityBytes, slots, status));
      receivesPosted++;
      posted(WorkKind.RECEIVE, capacityBytes, fault);
    }
  }

  @Override
  public void postSend(long workId, long offset, int bytes, int immediate) {
    synchronized (network) {
      check(bytes, out.sendsUnderWay(), WorkKind.SEND);
      PostFault fault = state.beginPost(WorkKind.SEND, wire, peer);
      long number = state.nextNumber(WorkKind.SEND);
      WorkStatus status = network.script().status(rank, WorkKind.SEND, number);
      out.postSend(
          new SendRequest(
              workId, number, memory.segment().asSlice(offset, bytes), immediate, status));
      sendsPosted++;
      posted(WorkKind.SEND, bytes, fault);
    }
  }

  private void check(int bytes, long underWay, WorkKind kind) {
    if (bytes < 0 || bytes > memory.slotBytes()) {
      throw new FabricException(
          peer, kind + " of " + bytes + " bytes, want 0 to " + memory.slotBytes(), null);
    }
    if (underWay >= DEPTH) {
      throw new FabricException(peer, "more than " + DEPTH + " of kind " + kind + " posted", null);
    }
  }

  private void posted(WorkKind kind, int bytes, PostFault fault) {
    network.log().add(new RecordedPost(rank, kind, wire, peer, bytes));
    if (fault == PostFault.CUT) {
      network.cut(wire);
    }
  }

  @Override
  public void release() {
    synchronized (network) {
      ReceiveRequest oldest = readable.poll();
      if (oldest == null) {
        throw new FabricException(peer, "released a message that was not delivered", null);
      }
      oldest.release(in::violate);
      in.released();
      released++;
    }
  }

  /** The message is the receiver's until it releases it. */
  void handOut(ReceiveRequest receive) {
    readable.add(receive);
    delivered++;
  }

  /** Lets time pass and adds what is complete. The network's lock is held. */
  void collect(List<Completion> found) {
    if (network.state(peer).moves()) {
      out.tick();
      in.tick();
    }
    for (SendRequest send = out.pollSend(); send != null; send = out.pollSend()) {
      sendsComplete++;
      add(
          found,
          WorkKind.SEND,
          send.number(),
          send.status(),
          new Completion.Sent(this, send.workId()));
    }
    for (ReceiveRequest receive = in.pollReceive(); receive != null; receive = in.pollReceive()) {
      add(
          found,
          WorkKind.RECEIVE,
          receive.number(),
          receive.status(),
          new Completion.Received(this, receive.workId(), receive));
    }
  }

  private void add(
      List<Completion> found,
      WorkKind kind,
      long number,
      WorkStatus status,
      Completion.Success completion) {
    found.add(
        status == WorkStatus.SUCCESS
            ? completion
            : new Completion.Failed(this, kind, number, completion.workId(), status));
    ExtraCompletion extra = network.script().extra(rank, kind, number);
    if (extra != null) {
      found.add(extraOf(completion, extra));
    }
  }

  private Completion extraOf(Completion.Success completion, ExtraCompletion extra) {
    return switch (extra) {
      case DUPLICATE -> completion;
      case UNKNOWN_WORK_ID -> completion.as(this, ~completion.workId());
      case OTHER_LINK -> completion.as(network.otherLink(this, rank), completion.workId());
    };
  }

  @Override
  public LinkCounters counters() {
    return new LinkCounters(wire, sendsPosted, sendsComplete, receivesPosted, delivered, released);
  }

  /** Nothing moves at either end any more. */
  void close() {
    out.kill();
    in.kill();
    slots.close();
    network.live().released(LiveObjects.Kind.LINK, 1);
  }
}
