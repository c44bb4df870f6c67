package io.jaccl4j.collective;

import java.lang.foreign.MemorySegment;

/** Transfer from one rank. */
final class MeshReceive extends MeshOperation {
  private int peer;

  MeshReceive(MeshLinks mesh) {
    super(mesh);
  }

  Collective prepare(MemorySegment newData, int newPeer, int tag) {
    reset(newData.byteSize(), tag);
    arriveIn(newData, 0);
    peer = newPeer;
    return this;
  }

  @Override
  public void start() {
    for (int ahead = 0; ahead < SendSlots.PIPELINE_DEPTH; ahead++) {
      postReceive(peer);
    }
  }

  @Override
  protected void progress() {
    boolean taken;
    do {
      taken = takeNext(peer);
    } while (taken);
  }

  @Override
  public boolean isDone() {
    return used(peer) == pieces.count();
  }

  @Override
  public int awaitedPeer() {
    return peer;
  }

  @Override
  public String awaiting() {
    return "message " + used(peer) + " of " + pieces.count() + " (it has not called send)";
  }
}
