package io.jaccl4j.collective;

import io.jaccl4j.fabric.Link;
import java.lang.foreign.MemorySegment;

/**
 * Collects one small block of every rank on all ranks with {@code ceil(log2 ranks)} messages each,
 * where all to all would take {@code ranks - 1}: in round {@code k} a rank sends what it has, as
 * far as the receiver lacks it, to the rank {@code 2^k} below it, and so has twice as much after
 * every round (Bruck et al., 1997). The way of a block is longer, so this is for links whose
 * messages cost more than their way.
 *
 * <pre>
 * staging slot   block of this rank, of the next rank, of the one after it, ...
 * arrival        the last round's blocks, used where they came
 * </pre>
 */
abstract class BruckGather implements Collective {
  /** Longer blocks cost more by their bytes, of which others move fewer, than by their messages. */
  private static final long LONGEST_BLOCK_BYTES = 128 * 1024;

  /** A socket's buffer takes so much at once; what it does not take moves in operations only. */
  private static final int LONGEST_UNATTENDED_BYTES = 32 * 1024;

  private static final int NO_PARTICULAR_RANK = -1;

  protected final MeshLinks mesh;
  private final SendSlots slots;
  private final int rounds;
  private final MemorySegment[] arrivedMemory;
  private final long[] arrivedOffset;
  private MemorySegment in;
  private long inOffset;
  private int blockBytes;
  private int tag;
  private int stagingSlot;
  private long stagedOffset;
  private boolean staged;
  private int round;

  BruckGather(MeshLinks mesh) {
    this.mesh = mesh;
    this.slots = mesh.slots();
    this.rounds = rounds(mesh.size());
    this.arrivedMemory = new MemorySegment[rounds];
    this.arrivedOffset = new long[rounds];
  }

  private static int rounds(int size) {
    return Integer.SIZE - Integer.numberOfLeadingZeros(size - 1);
  }

  /** Whether these are fewer messages than all to all. */
  static boolean hasFewerMessages(int size) {
    return rounds(size) < size - 1;
  }

  /** The longest blocks that are gathered like this: those of all ranks have room in a slot. */
  final long longestBlockBytes() {
    return Math.min(LONGEST_BLOCK_BYTES, slots.slotBytes() / mesh.size());
  }

  /** Prepares the next gathering, of blocks up to the {@link #longestBlockBytes longest}. */
  protected final void reset(
      MemorySegment newIn, long newInOffset, int newBlockBytes, int operationTag) {
    in = newIn;
    inOffset = newInOffset;
    blockBytes = newBlockBytes;
    tag = operationTag;
    staged = false;
    round = newBlockBytes == 0 ? rounds : 0;
    for (int i = 0; i < rounds; i++) {
      arrivedMemory[i] = null;
    }
  }

  /** All blocks are here. */
  protected abstract void finish();

  /** Where a rank's block is, while {@link #finish()} runs. */
  protected final MemorySegment memoryOf(int rank) {
    return place(rank) < heldBefore(rounds - 1) ? slots.segment() : arrivedMemory[rounds - 1];
  }

  /** At which offset a rank's block is, while {@link #finish()} runs. */
  protected final long offsetOf(int rank) {
    int place = place(rank);
    int lastPlace = heldBefore(rounds - 1);
    return place < lastPlace
        ? stagedOffset + (long) place * blockBytes
        : arrivedOffset[rounds - 1] + (long) (place - lastPlace) * blockBytes;
  }

  protected final int blockBytes() {
    return blockBytes;
  }

  private int place(int rank) {
    return Math.floorMod(rank - mesh.rank(), mesh.size());
  }

  private static int heldBefore(int someRound) {
    return 1 << someRound;
  }

  private int messageBytes(int someRound) {
    int blocks = Math.min(heldBefore(someRound), mesh.size() - heldBefore(someRound));
    return blocks * blockBytes;
  }

  private int sender(int someRound) {
    return Math.floorMod(mesh.rank() + heldBefore(someRound), mesh.size());
  }

  private int receiver(int someRound) {
    return Math.floorMod(mesh.rank() - heldBefore(someRound), mesh.size());
  }

  @Override
  public final void start() {
    for (int ahead = round; ahead < rounds; ahead++) {
      // Whatever a peer sends by mistake has room, so that its tag can tell what it is.
      mesh.receives().post(mesh.link(sender(ahead)), slots.slotBytes());
    }
    progress();
  }

  private void progress() {
    if (!staged && round < rounds) {
      stagingSlot = mesh.broadcastSlot();
      if (!slots.isFree(stagingSlot)) {
        return;
      }
      mesh.broadcastUsed();
      stagedOffset = slots.offset(stagingSlot);
      slots.stage(stagingSlot, in, inOffset, blockBytes);
      staged = true;
      send();
    }
    while (round < rounds && arrivedMemory[round] != null) {
      if (round == rounds - 1) {
        finish();
      } else {
        MemorySegment.copy(
            arrivedMemory[round],
            arrivedOffset[round],
            slots.segment(),
            stagedOffset + (long) heldBefore(round) * blockBytes,
            messageBytes(round));
      }
      mesh.link(sender(round)).release();
      round++;
      if (round < rounds) {
        send();
      }
    }
  }

  private void send() {
    slots.send(mesh.link(receiver(round)), stagingSlot, messageBytes(round), tag);
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
    int itsRound = Integer.numberOfTrailingZeros(Math.floorMod(peer - mesh.rank(), mesh.size()));
    OperationTag.checkLength(peer, 0, bytes, messageBytes(itsRound), tag);
    mesh.traffic().received(bytes);
    arrivedMemory[itsRound] = memory;
    arrivedOffset[itsRound] = offset;
    progress();
  }

  @Override
  public final boolean isDone() {
    return round == rounds && (leavesAtOnce() || slots.isFree(stagingSlot));
  }

  private boolean leavesAtOnce() {
    // The last message may be shorter than the one before it.
    int longestBytes = Math.max(messageBytes(rounds - 1), messageBytes(rounds - 2));
    return longestBytes <= LONGEST_UNATTENDED_BYTES;
  }

  /** After the first round, whoever passes blocks on may itself wait for any of their ranks. */
  @Override
  public final int awaitedPeer() {
    if (!staged || round == rounds) {
      return slots.slowestPeer();
    }
    return round == 0 ? sender(0) : NO_PARTICULAR_RANK;
  }

  @Override
  public final String awaiting() {
    if (!staged || round == rounds) {
      return "its acknowledgement of earlier messages";
    }
    if (round == 0) {
      return "its block, in round 1 of " + rounds;
    }
    return "in round "
        + (round + 1)
        + " of "
        + rounds
        + ", "
        + messageBytes(round) / blockBytes
        + " blocks from that of rank "
        + sender(round)
        + " on, which that rank passes on and may itself wait for";
  }
}
