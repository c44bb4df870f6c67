package io.jaccl4j.collective;

import java.lang.foreign.MemorySegment;

/**
 * Blocks of one size between any pairs of ranks, nothing reduced: broadcast, gather, scatter and
 * all-to-all, depending on who sends to whom.
 */
final class MeshExchange extends MeshOperation {
  private final boolean[] sendsTo;
  private final boolean[] receivesFrom;
  private final long[] sent;
  private MemorySegment in;
  private long inStride;
  private long directOffset;

  MeshExchange(MeshLinks mesh) {
    super(mesh);
    this.sendsTo = new boolean[mesh.size()];
    this.receivesFrom = new boolean[mesh.size()];
    this.sent = new long[mesh.size()];
  }

  /** Forgets the operation before; who sends to whom follows. */
  MeshExchange begin(long blockBytes, int tag) {
    reset(blockBytes, tag);
    in = MemorySegment.NULL;
    for (int peer = 0; peer < mesh.size(); peer++) {
      sendsTo[peer] = false;
      receivesFrom[peer] = false;
      sent[peer] = 0;
    }
    return this;
  }

  /** Block {@code p} of the input, at {@code p * stride}, goes to rank {@code p}. */
  MeshExchange sends(MemorySegment newIn, long stride) {
    in = newIn;
    inStride = stride;
    directOffset = slots.directOffset(in);
    return this;
  }

  /** Rank {@code p}'s block comes to {@code p * stride} of the output. */
  MeshExchange receives(MemorySegment newOut, long stride) {
    arriveIn(newOut, stride);
    return this;
  }

  MeshExchange to(int peer) {
    sendsTo[peer] = peer != mesh.rank();
    return this;
  }

  MeshExchange from(int peer) {
    receivesFrom[peer] = peer != mesh.rank();
    return this;
  }

  MeshExchange toAll() {
    for (int peer = 0; peer < mesh.size(); peer++) {
      to(peer);
    }
    return this;
  }

  MeshExchange fromAll() {
    for (int peer = 0; peer < mesh.size(); peer++) {
      from(peer);
    }
    return this;
  }

  @Override
  public void start() {
    for (int ahead = 0; ahead < SendSlots.PIPELINE_DEPTH; ahead++) {
      for (int peer = 0; peer < mesh.size(); peer++) {
        if (receivesFrom[peer]) {
          postReceive(peer);
        }
      }
    }
    progress();
  }

  @Override
  protected void progress() {
    boolean moved;
    do {
      moved = false;
      for (int step = 1; step < mesh.size(); step++) {
        int peer = (mesh.rank() + step) % mesh.size();
        moved |= sendNext(peer);
        moved |= takeNext(peer);
      }
    } while (moved);
  }

  private boolean sendNext(int peer) {
    long piece = sent[peer];
    if (!sendsTo[peer] || piece == pieces.count()) {
      return false;
    }
    long offset = peer * inStride + pieces.offset(piece);
    int bytes = pieces.bytes(piece);
    if (directOffset >= 0) {
      if (!slots.hasDirectRoom(mesh.link(peer))) {
        return false;
      }
      slots.sendDirect(mesh.link(peer), directOffset + offset, bytes, tag());
    } else {
      int slot = mesh.unicastSlot(peer);
      if (!slots.isFree(slot)) {
        return false;
      }
      slots.stage(slot, in, offset, bytes);
      slots.send(mesh.link(peer), slot, pieces.wireBytes(piece), tag());
      mesh.unicastUsed(peer);
    }
    sent[peer]++;
    return true;
  }

  private int missingPeer() {
    for (int peer = 0; peer < mesh.size(); peer++) {
      if (receivesFrom[peer] && used(peer) < pieces.count()) {
        return peer;
      }
    }
    return -1;
  }

  private int unsentPeer() {
    for (int peer = 0; peer < mesh.size(); peer++) {
      if (sendsTo[peer] && sent[peer] < pieces.count()) {
        return peer;
      }
    }
    return -1;
  }

  @Override
  public boolean isDone() {
    return missingPeer() < 0 && unsentPeer() < 0 && slots.directUnderWay() == 0;
  }

  @Override
  public int awaitedPeer() {
    if (missingPeer() >= 0) {
      return missingPeer();
    }
    return unsentPeer() >= 0 ? unsentPeer() : slots.slowestPeer();
  }

  @Override
  public String awaiting() {
    int missing = missingPeer();
    return missing >= 0
        ? "message " + used(missing) + " of " + pieces.count() + " of its block"
        : "its acknowledgement of earlier messages";
  }
}
