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
  protected final Pieces pieces = new Pieces();
  protected final Arrivals[] arrivals;
  private final long[] receivesPosted;
  private final long[] received;
  private final long[] used;
  private int tag;

  MeshOperation(MeshLinks mesh) {
    this.mesh = mesh;
    this.slots = mesh.slots();
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
    pieces.cut(transferBytes, slots.slotBytes());
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

  /** Posts receives from a peer up to the pipeline's depth ahead of what was used. */
  protected final void postReceives(int peer) {
    while (receivesPosted[peer] < pieces.count()
        && receivesPosted[peer] - used[peer] < MeshLinks.PIPELINE_DEPTH) {
      receivesPosted[peer]++;
      mesh.postReceive(peer, pieces.capacity());
    }
  }

  protected final void postReceivesFromAll() {
    for (int peer = 0; peer < mesh.size(); peer++) {
      if (peer != mesh.rank()) {
        postReceives(peer);
      }
    }
  }

  /** Hands a peer's oldest arrival back and allows the peer one more message. */
  protected final void use(int peer) {
    arrivals[peer].remove();
    used[peer]++;
    mesh.link(peer).release();
    postReceives(peer);
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
    mesh.checkReceived(link, workId);
    if (immediate != tag) {
      throw new MismatchException(
          peer,
          "rank "
              + peer
              + " sent data of "
              + OperationTag.describe(immediate)
              + ", but this rank is in "
              + OperationTag.describe(tag)
              + "; all ranks must call the same operations in the same order with the same sizes");
    }
    int wantBytes = pieces.bytes(received[peer]);
    if (bytes != wantBytes) {
      throw new MismatchException(
          peer,
          "message "
              + received[peer]
              + " of rank "
              + peer
              + " has "
              + bytes
              + " bytes, want "
              + wantBytes
              + "; call "
              + OperationTag.describe(tag)
              + " with the same size on all ranks");
    }
    received[peer]++;
    mesh.traffic().received(bytes);
    arrivals[peer].add(memory, offset);
    progress();
  }
}
