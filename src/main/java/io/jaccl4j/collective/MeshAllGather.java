package io.jaccl4j.collective;

import java.lang.foreign.MemorySegment;

/** All-gather: every rank sends its block to every other. */
final class MeshAllGather extends MeshOperation {
  private MemorySegment in;
  private long inOffset;
  private MemorySegment out;
  private long directOffset;
  private long blockBytes;
  private long sent;

  MeshAllGather(MeshLinks mesh) {
    super(mesh);
  }

  /**
   * Prepares the next operation.
   *
   * @param newOut block {@code p} goes to {@code p * newBlockBytes}; this rank's own may be where
   *     the input already is
   */
  Collective prepare(
      MemorySegment newIn, long newInOffset, long newBlockBytes, MemorySegment newOut, int tag) {
    reset(newBlockBytes, tag);
    in = newIn;
    inOffset = newInOffset;
    out = newOut;
    blockBytes = newBlockBytes;
    arriveIn(newOut, newBlockBytes);
    long direct = slots.directOffset(in);
    directOffset = direct < 0 ? -1 : direct + inOffset;
    sent = 0;
    return this;
  }

  @Override
  public void start() {
    progress();
    long ownOffset = mesh.rank() * blockBytes;
    if (in.address() + inOffset != out.address() + ownOffset) {
      MemorySegment.copy(in, inOffset, out, ownOffset, blockBytes);
    }
  }

  @Override
  protected void progress() {
    boolean moved;
    do {
      moved = sendNext();
      for (int peer = 0; peer < mesh.size(); peer++) {
        moved |= takeNext(peer);
      }
    } while (moved);
  }

  private boolean sendNext() {
    if (sent == pieces.count()) {
      return false;
    }
    boolean direct = directOffset >= 0;
    int slot = mesh.broadcastSlot();
    if (direct ? !mesh.hasDirectRoomToAll() : !slots.isFree(slot)) {
      return false;
    }
    if (sent < SendSlots.PIPELINE_DEPTH) {
      postReceiveFromAll();
    }
    if (!direct) {
      slots.stage(slot, in, inOffset + pieces.offset(sent), pieces.bytes(sent));
      mesh.broadcastUsed();
    }
    for (int peer = 0; peer < mesh.size(); peer++) {
      if (peer == mesh.rank()) {
        continue;
      }
      if (direct) {
        slots.sendDirect(
            mesh.link(peer), directOffset + pieces.offset(sent), pieces.bytes(sent), tag());
      } else {
        slots.send(mesh.link(peer), slot, pieces.wireBytes(sent), tag());
      }
    }
    sent++;
    return true;
  }

  private int missingPeer() {
    for (int peer = 0; peer < mesh.size(); peer++) {
      if (peer != mesh.rank() && used(peer) < pieces.count()) {
        return peer;
      }
    }
    return -1;
  }

  @Override
  public boolean isDone() {
    return sent == pieces.count() && missingPeer() < 0 && slots.directUnderWay() == 0;
  }

  @Override
  public int awaitedPeer() {
    return missingPeer() >= 0 ? missingPeer() : slots.slowestPeer();
  }

  @Override
  public String awaiting() {
    int missing = missingPeer();
    return missing >= 0
        ? "message " + used(missing) + " of " + pieces.count() + " of its block"
        : "its acknowledgement of earlier messages";
  }
}
