package io.jaccl4j.collective;

import io.jaccl4j.WireMode;
import io.jaccl4j.reduce.ReduceKernel;
import java.lang.foreign.MemorySegment;

/**
 * Reduce-scatter: every rank sends block {@code p} of its input to rank {@code p}, and reduces what
 * it receives with its own block. Or the root's part of a reduction to one rank: it only receives.
 */
final class MeshSumScatter extends MeshOperation {
  private final OrderedReduction reduction;
  private final long[] sent;
  private MemorySegment in;
  private MemorySegment out;
  private long blockBytes;
  private long ownBlock;
  private long outOffset;
  private long directOffset;
  private boolean ownIsOverwritten;
  private boolean scratchHoldsOwn;
  private long reduced;

  MeshSumScatter(MeshLinks mesh) {
    super(mesh);
    this.reduction =
        mesh.wire() == WireMode.MLX
            ? OrderedReduction.ownFirst(mesh.rank(), mesh.size())
            : OrderedReduction.byRank(mesh.rank(), mesh.size());
    this.sent = new long[mesh.size()];
  }

  /**
   * Prepares the next operation.
   *
   * @param newIn block {@code p} begins at {@code p * newBlockBytes}
   * @param newOutOffset where this rank's block goes
   */
  Collective prepare(
      ReduceKernel kernel,
      int elementBytes,
      MemorySegment newIn,
      long newBlockBytes,
      MemorySegment newOut,
      long newOutOffset,
      int tag) {
    prepare(
        kernel,
        elementBytes,
        newIn,
        mesh.rank() * newBlockBytes,
        newBlockBytes,
        newOut,
        newOutOffset,
        tag);
    for (int peer = 0; peer < sent.length; peer++) {
      sent[peer] = 0;
    }
    return this;
  }

  /** Prepares the root of a reduction: the whole input is its own block, nothing is sent. */
  Collective prepareRoot(
      ReduceKernel kernel, int elementBytes, MemorySegment newIn, MemorySegment newOut, int tag) {
    prepare(kernel, elementBytes, newIn, 0, newIn.byteSize(), newOut, 0, tag);
    for (int peer = 0; peer < sent.length; peer++) {
      sent[peer] = pieces.count();
    }
    return this;
  }

  private void prepare(
      ReduceKernel kernel,
      int elementBytes,
      MemorySegment newIn,
      long newOwnBlock,
      long newBlockBytes,
      MemorySegment newOut,
      long newOutOffset,
      int tag) {
    reset(newBlockBytes, tag);
    reduction.prepare(kernel, elementBytes);
    in = newIn;
    out = newOut;
    ownBlock = newOwnBlock;
    blockBytes = newBlockBytes;
    outOffset = newOutOffset;
    // In place is safe too: nobody but this rank reads or writes this rank's block.
    directOffset = slots.directOffset(in);
    boolean inPlace = in.address() + ownBlock == out.address() + outOffset;
    ownIsOverwritten = inPlace && reduction.writesBeforeOwn();
    scratchHoldsOwn = false;
    reduced = 0;
  }

  @Override
  public void start() {
    for (int ahead = 0; ahead < SendSlots.PIPELINE_DEPTH; ahead++) {
      postReceiveFromAll();
    }
    progress();
  }

  @Override
  protected void progress() {
    boolean moved;
    do {
      moved = false;
      for (int step = 1; step < mesh.size(); step++) {
        // From the next rank on, so that not all ranks begin with the same receiver.
        moved |= sendNext((mesh.rank() + step) % mesh.size());
      }
      moved |= reduceNext();
    } while (moved);
  }

  private boolean sendNext(int peer) {
    long piece = sent[peer];
    if (piece == pieces.count()) {
      return false;
    }
    long offset = peer * blockBytes + pieces.offset(piece);
    if (directOffset >= 0) {
      if (!slots.hasDirectRoom(mesh.link(peer))) {
        return false;
      }
      slots.sendDirect(mesh.link(peer), directOffset + offset, pieces.bytes(piece), tag());
    } else {
      int slot = mesh.unicastSlot(peer);
      if (!slots.isFree(slot)) {
        return false;
      }
      slots.stage(slot, in, offset, pieces.bytes(piece));
      slots.send(mesh.link(peer), slot, pieces.wireBytes(piece), tag());
      mesh.unicastUsed(peer);
    }
    sent[peer]++;
    return true;
  }

  private boolean reduceNext() {
    if (reduced == pieces.count()) {
      return false;
    }
    int bytes = pieces.bytes(reduced);
    long ownOffset = ownBlock + pieces.offset(reduced);
    MemorySegment own = in;
    if (ownIsOverwritten) {
      if (!scratchHoldsOwn) {
        slots.stage(mesh.scratchSlot(), in, ownOffset, bytes);
        scratchHoldsOwn = true;
      }
      own = slots.segment();
      ownOffset = slots.offset(mesh.scratchSlot());
    }
    if (!reduction.advance(this, own, ownOffset, out, outOffset + pieces.offset(reduced), bytes)) {
      return false;
    }
    scratchHoldsOwn = false;
    reduced++;
    return true;
  }

  private int unsentPeer() {
    for (int peer = 0; peer < sent.length; peer++) {
      if (peer != mesh.rank() && sent[peer] < pieces.count()) {
        return peer;
      }
    }
    return -1;
  }

  @Override
  public boolean isDone() {
    return reduced == pieces.count() && unsentPeer() < 0 && slots.directUnderWay() == 0;
  }

  @Override
  public int awaitedPeer() {
    if (reduced < pieces.count()) {
      return reduction.nextRank();
    }
    return unsentPeer() >= 0 ? unsentPeer() : slots.slowestPeer();
  }

  @Override
  public String awaiting() {
    return reduced < pieces.count()
        ? "message " + reduced + " of " + pieces.count() + " of its block for this rank"
        : "its acknowledgement of earlier messages";
  }
}
