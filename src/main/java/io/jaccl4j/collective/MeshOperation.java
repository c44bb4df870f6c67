package io.jaccl4j.collective;

import io.jaccl4j.fabric.Link;
import java.lang.foreign.MemorySegment;

/**
 * What the mesh operations have in common: receives posted ahead within the pipeline's depth,
 * exactly as many as the peer sends; arrivals kept per peer until used; every message checked
 * against the operation's tag and the length that its place in the transfer has.
 */
abstract class MeshOperation implements Collective {
  protected final MeshLinks mesh;
  protected final SendSlots slots;
  protected final Pieces pieces;
  protected final Arrivals[] arrivals;
  private final long[] receivesPosted;
  private final long[] received;
  private final long[] used;
  private int tag;

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
    for (int peer = 0; peer < received.length; peer++) {
      receivesPosted[peer] = 0;
      received[peer] = 0;
      used[peer] = 0;
    }
  }

  protected final int tag() {
    return tag;
  }

  /** Posts the next receive from a peer, if the pipeline's depth and the transfer allow one. */
  protected final void postReceive(int peer) {
    if (receivesPosted[peer] < pieces.count()
        && receivesPosted[peer] - used[peer] < SendSlots.PIPELINE_DEPTH) {
      receivesPosted[peer]++;
      mesh.receives().post(mesh.link(peer), pieces.capacity());
    }
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
