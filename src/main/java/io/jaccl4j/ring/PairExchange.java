package io.jaccl4j.ring;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;

/**
 * Collects a small block of each rank on all ranks of an even number in half as many rounds with
 * one message each, where MLX's ring takes {@code 2 (size - 1)} steps for a reduction (neighbour
 * exchange; Chen and Yuan, 2005). Ranks {@code 2q} and {@code 2q + 1} are a pair: they swap their
 * blocks first; after that, each rank swaps two blocks at a time with its other neighbour and its
 * partner in turn, always the pair of blocks that came last. Among ranks of this library alone.
 *
 * <p>One instance serves all operations of a ring, one after the other. Owned by the ring's thread.
 */
final class PairExchange implements Activity {
  /** Longer blocks cost more by their bytes than by the steps that they save. */
  private static final int LONGEST_BLOCK_BYTES = 64 << 10;

  /** Of two ranks, MLX's steps are two as well, and move no more than each byte once. */
  private static final int LONGEST_BLOCK_BYTES_OF_TWO = 16 << 10;

  private static final int MOST_BYTES = 256 << 10;
  private static final int ALIGNMENT_BYTES = 64;

  private final int rank;
  private final int size;
  private final int rounds;
  private final int longestBlockBytes;
  private final Connection left;
  private final Connection right;
  private final MemorySegment blocks;
  private final ByteBuffer outgoing;
  private final ByteBuffer incoming;

  /** This rank's block until it is among the others, which an error may prevent; then null. */
  private MemorySegment own;

  private int blockBytes;
  private int round;

  PairExchange(int rank, int size, Neighbours neighbours, Arena arena) {
    this.rank = rank;
    this.size = size;
    this.rounds = size / 2;
    this.longestBlockBytes =
        Math.min(size == 2 ? LONGEST_BLOCK_BYTES_OF_TWO : LONGEST_BLOCK_BYTES, MOST_BYTES / size);
    this.left = neighbours.left().getFirst();
    this.right = neighbours.right().getFirst();
    this.blocks = arena.allocate((long) longestBlockBytes * size, ALIGNMENT_BYTES);
    this.outgoing = blocks.asByteBuffer();
    this.incoming = blocks.asByteBuffer();
  }

  /** Whether so many ranks can be paired. */
  static boolean isFor(int size) {
    return size >= 2 && size % 2 == 0;
  }

  /** Whether blocks of so many bytes are worth it. */
  boolean takes(long bytes) {
    return bytes > 0 && bytes <= longestBlockBytes;
  }

  /** Begins with this rank's block. */
  PairExchange begin(MemorySegment block) {
    own = block;
    blockBytes = (int) block.byteSize();
    round = 0;
    return this;
  }

  /** Where all blocks are, once this is done. */
  MemorySegment blocks() {
    return blocks;
  }

  /** Where the block of a rank begins. */
  long offset(int of) {
    return (long) of * blockBytes;
  }

  private void beginRound() {
    if (round == rounds) {
      return;
    }
    if (round == 0) {
      window(outgoing, rank, 1);
      window(incoming, rank ^ 1, 1);
    } else {
      window(outgoing, 2 * pairOf(round - 1), 2);
      window(incoming, 2 * pairOf(round), 2);
    }
  }

  private void window(ByteBuffer buffer, int firstRank, int count) {
    int from = (int) offset(firstRank);
    buffer.limit(from + count * blockBytes).position(from);
  }

  /** The pair whose blocks are complete here after a round. */
  private int pairOf(int ofRound) {
    boolean fromTheLeft = (rank % 2 == 0) == (ofRound % 2 == 1);
    int distance = (ofRound + 1) / 2;
    return Math.floorMod(rank / 2 + (fromTheLeft ? -distance : distance), size / 2);
  }

  /** Partners in even rounds. */
  private Side side(int ofRound) {
    return (rank % 2 == 0) == (ofRound % 2 == 0) ? Side.RIGHT : Side.LEFT;
  }

  private Connection connection(int ofRound) {
    return side(ofRound) == Side.LEFT ? left : right;
  }

  @Override
  public long advance() {
    if (own != null) {
      MemorySegment.copy(own, 0, blocks, offset(rank), blockBytes);
      own = null;
      beginRound();
    }
    long moved = 0;
    while (round < rounds) {
      Connection connection = connection(round);
      if (outgoing.hasRemaining()) {
        moved += connection.write(outgoing);
      }
      if (incoming.hasRemaining()) {
        moved += connection.read(incoming);
      }
      if (outgoing.hasRemaining() || incoming.hasRemaining()) {
        return moved;
      }
      round++;
      beginRound();
    }
    return moved;
  }

  @Override
  public boolean isDone() {
    return round == rounds;
  }

  @Override
  public int interest(Connection connection) {
    if (isDone() || own != null || connection != connection(round)) {
      return 0;
    }
    return (outgoing.hasRemaining() ? SelectionKey.OP_WRITE : 0)
        | (incoming.hasRemaining() ? SelectionKey.OP_READ : 0);
  }

  @Override
  public boolean needs(Connection connection) {
    return !isDone()
        && (connection == connection(round)
            || round + 1 < rounds && connection == connection(round + 1));
  }

  @Override
  public int awaitedPeer() {
    return isDone() ? -1 : side(round).of(rank, size);
  }

  @Override
  public String awaiting() {
    return isDone()
        ? "nothing"
        : "in round "
            + (round + 1)
            + " of "
            + rounds
            + ", "
            + incoming.remaining()
            + " bytes to be received from and "
            + outgoing.remaining()
            + " bytes to be sent to "
            + connection(round).describe()
            + (round == 0 ? "" : ", which may itself be waiting");
  }
}
