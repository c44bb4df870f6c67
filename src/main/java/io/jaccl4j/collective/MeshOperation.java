package io.jaccl4j.collective;

import io.jaccl4j.fabric.Link;
import java.lang.foreign.MemorySegment;

/**
 * What the mesh operations have in common: receives posted ahead within the pipeline's depth,
 * exactly as many as the peer sends; arrivals kept per peer until used; every message checked
 * against the operation's tag and the length that its place in the transfer has.
 */
abstract class MeshOperation implements Collective {
  private static final long NOT_REGISTERED = -1;

  protected final MeshLinks mesh;
  protected final SendSlots slots;
  protected final Pieces pieces;
  protected final Arrivals[] arrivals;
  private final long[] receivesPosted;
  private final long[] received;
  private final long[] used;
  private int tag;
  private MemorySegment out;
  private long arrivalsOffset;
  private long arrivalsStride;

  MeshOperation(MeshLinks mesh) {
    this.mesh = mesh;
    this.slots = mesh.slots();
    this.pieces = new Pieces(mesh.wire(), slots.slotBytes());
    this.arrivals = new Arrivals[mesh.size()];
    for (int peer = 0; peer < arrivals.length; peer++) {
      arrivals[peer] = new Arrivals();
    }
    this.receivesPosted = new long[mesh.size()];
    this.received = new long[mesh.size()];
    this.used = new long[mesh.size()];
  }

  /** Cuts the transfer and forgets the operation before. */
  protected final void reset(long transferBytes, int operationTag) {
    pieces.cut(transferBytes);
    tag = operationTag;
    arrivalsOffset = NOT_REGISTERED;
    for (int peer = 0; peer < received.length; peer++) {
      receivesPosted[peer] = 0;
      received[peer] = 0;
      used[peer] = 0;
    }
  }

  /**
   * Says where arrivals go in the end: those of rank {@code p} from {@code p * stride} of the
   * output on. If it is registered memory, links may put them there at once. Follows {@link
   * #reset}.
   */
  protected final void arriveIn(MemorySegment newOut, long stride) {
    out = newOut;
    arrivalsStride = stride;
    arrivalsOffset = slots.directOffset(newOut);
  }

  /** Takes a peer's oldest arrival to where it goes; returns whether there was one. */
  protected final boolean takeNext(int peer) {
    Arrivals arrived = arrivals[peer];
    if (arrived.isEmpty()) {
      return false;
    }
    long piece = used[peer];
    long offset = peer * arrivalsStride + pieces.offset(piece);
    boolean inPlace =
        arrivalsOffset >= 0
            && arrived.memory() == slots.segment()
            && arrived.offset() == arrivalsOffset + offset;
    if (!inPlace) {
      MemorySegment.copy(arrived.memory(), arrived.offset(), out, offset, pieces.bytes(piece));
    }
    use(peer);
    return true;
  }

  protected final int tag() {
    return tag;
  }

  /** Posts the next receive from a peer, if the pipeline's depth and the transfer allow one. */
  protected final void postReceive(int peer) {
    if (receivesPosted[peer] < pieces.count()
        && receivesPosted[peer] - used[peer] < SendSlots.PIPELINE_DEPTH) {
      long piece = receivesPosted[peer]++;
      Link link = mesh.link(peer);
      if (arrivalsOffset >= 0) {
        mesh.receives()
            .post(
                link,
                capacity(),
                arrivalsOffset + peer * arrivalsStride + pieces.offset(piece),
                pieces.bytes(piece),
                tag);
      } else {
        mesh.receives().post(link, capacity());
      }
    }
  }

  /** A peer that is in another operation and passes blocks on may send many at once. */
  private int capacity() {
    return mesh.passesOn() ? slots.slotBytes() : pieces.capacity();
  }

  /** Posts one receive from every peer, lowest rank first. */
  protected final void postReceiveFromAll() {
    for (int peer = 0; peer < mesh.size(); peer++) {
      if (peer != mesh.rank()) {
        postReceive(peer);
      }
    }
  }

  /** Hands a peer's oldest arrival back and allows the peer one more message. */
  protected final void use(int peer) {
    arrivals[peer].remove();
    used[peer]++;
    mesh.link(peer).release();
    postReceive(peer);
  }

  protected final long used(int peer) {
    return used[peer];
  }

  /** Does whatever can be done now. */
  protected abstract void progress();

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
    int peer = link.peer();
    mesh.receives().complete(link, workId);
    OperationTag.check(peer, immediate, tag);
    OperationTag.checkLength(peer, received[peer], bytes, pieces.wireBytes(received[peer]), tag);
    received[peer]++;
    mesh.traffic().received(bytes);
    arrivals[peer].add(memory, offset);
    progress();
  }
}
