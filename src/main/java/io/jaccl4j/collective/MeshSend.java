package io.jaccl4j.collective;

import java.lang.foreign.MemorySegment;

/** Transfer to one rank. Complete when the data is staged, or read if it was sent directly. */
final class MeshSend extends MeshOperation {
  private MemorySegment data;
  private int peer;
  private long directOffset;
  private long sent;

  MeshSend(MeshLinks mesh) {
    super(mesh);
  }

  Collective prepare(MemorySegment newData, int newPeer, int tag) {
    reset(newData.byteSize(), tag);
    data = newData;
    peer = newPeer;
    directOffset = slots.directOffset(data);
    sent = 0;
    return this;
  }

  @Override
  protected void progress() {
    while (sent < pieces.count() && sendNext()) {
      sent++;
    }
  }

  private boolean sendNext() {
    if (directOffset >= 0) {
      if (!slots.hasDirectRoom(mesh.link(peer))) {
        return false;
      }
      slots.sendDirect(
          mesh.link(peer), directOffset + pieces.offset(sent), pieces.bytes(sent), tag());
      return true;
    }
    int slot = mesh.unicastSlot(peer);
    if (!slots.isFree(slot)) {
      return false;
    }
    slots.stage(slot, data, pieces.offset(sent), pieces.bytes(sent));
    slots.send(mesh.link(peer), slot, pieces.wireBytes(sent), tag());
    mesh.unicastUsed(peer);
    return true;
  }

  @Override
  public boolean isDone() {
    return sent == pieces.count() && slots.directUnderWay() == 0;
  }

  @Override
  public int awaitedPeer() {
    return peer;
  }

  @Override
  public String awaiting() {
    return "room for message " + sent + " of " + pieces.count() + " (it has not called recv)";
  }
}
