package io.jaccl4j.collective;

import io.jaccl4j.reduce.ReduceKernel;
import java.lang.foreign.MemorySegment;

/**
 * All-reduce for small buffers and for two ranks: every rank sends its whole input to every other
 * and reduces all of them itself.
 */
final class MeshFullReduce extends MeshOperation {
  private final OrderedReduction reduction;
  private final int[] slotOfPiece = new int[SendSlots.PIPELINE_DEPTH];
  private MemorySegment in;
  private MemorySegment out;
  private long base;
  private long directOffset;
  private long sent;
  private long reduced;

  MeshFullReduce(MeshLinks mesh) {
    super(mesh);
    this.reduction = OrderedReduction.byRank(mesh.rank(), mesh.size());
  }

  /** Reduces {@code bytes} from {@code base} on, at the same place in both buffers. */
  Collective prepare(
      ReduceKernel kernel,
      int elementBytes,
      MemorySegment newIn,
      MemorySegment newOut,
      long newBase,
      long bytes,
      int tag) {
    reset(bytes, tag);
    reduction.prepare(kernel, elementBytes);
    in = newIn;
    out = newOut;
    base = newBase;
    // In place, the result overwrites what slower peers still have to read: stage.
    directOffset = in.address() == out.address() ? -1 : slots.directOffset(in);
    sent = 0;
    reduced = 0;
    return this;
  }

  @Override
  protected void progress() {
    boolean moved;
    do {
      moved = sendNext();
      moved |= reduceNext();
    } while (moved);
  }

  private boolean sendNext() {
    if (sent == pieces.count() || sent - reduced >= SendSlots.PIPELINE_DEPTH) {
      return false;
    }
    return directOffset >= 0 ? sendDirect() : sendStaged();
  }

  private boolean sendStaged() {
    int slot = mesh.broadcastSlot();
    if (!slots.isFree(slot)) {
      return false;
    }
    postPrefillReceives();
    slots.stage(slot, in, base + pieces.offset(sent), pieces.bytes(sent));
    for (int peer = 0; peer < mesh.size(); peer++) {
      if (peer != mesh.rank()) {
        slots.send(mesh.link(peer), slot, pieces.wireBytes(sent), tag());
      }
    }
    mesh.broadcastUsed();
    slotOfPiece[slotIndex(sent)] = slot;
    sent++;
    return true;
  }

  private boolean sendDirect() {
    if (!mesh.hasDirectRoomToAll()) {
      return false;
    }
    postPrefillReceives();
    for (int peer = 0; peer < mesh.size(); peer++) {
      if (peer != mesh.rank()) {
        slots.sendDirect(
            mesh.link(peer), directOffset + base + pieces.offset(sent), pieces.bytes(sent), tag());
      }
    }
    sent++;
    return true;
  }

  /** The first messages' receives go out with their sends; later ones follow what was used. */
  private void postPrefillReceives() {
    if (sent < SendSlots.PIPELINE_DEPTH) {
      postReceiveFromAll();
    }
  }

  private boolean reduceNext() {
    if (reduced == sent) {
      return false;
    }
    long offset = base + pieces.offset(reduced);
    boolean direct = directOffset >= 0;
    // The staged copy, not the input: in place, the input is overwritten before its turn comes.
    MemorySegment own = direct ? in : slots.segment();
    long ownOffset = direct ? offset : slots.offset(slotOfPiece[slotIndex(reduced)]);
    if (!reduction.advance(this, own, ownOffset, out, offset, pieces.bytes(reduced))) {
      return false;
    }
    reduced++;
    return true;
  }

  private static int slotIndex(long piece) {
    return (int) piece & (SendSlots.PIPELINE_DEPTH - 1);
  }

  @Override
  public boolean isDone() {
    return reduced == pieces.count() && slots.directUnderWay() == 0;
  }

  @Override
  public int awaitedPeer() {
    return reduced == sent ? slots.slowestPeer() : reduction.nextRank();
  }

  @Override
  public String awaiting() {
    return reduced == sent
        ? "its acknowledgement of earlier messages"
        : "message " + reduced + " of " + pieces.count() + " of its input";
  }
}
