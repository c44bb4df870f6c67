package io.jaccl4j.cli.bench.exchange;

import java.lang.foreign.MemorySegment;

/**
 * Two buffers of one size.
 *
 * @param in input
 * @param out output, and input too in place
 */
public record Buffers(MemorySegment in, MemorySegment out) {
  /**
   * Makes elements that no result has: 16 ranks reach 112 at most, and there is no such boolean.
   */
  private static final byte SPOILT = 0x7F;

  /** The first bytes of both. */
  Buffers ofSize(long bytes) {
    return new Buffers(in.asSlice(0, bytes), out.asSlice(0, bytes));
  }

  /** Sets both to zero, which stays zero however often it is added to itself. */
  public void clear(long bytes) {
    in.asSlice(0, bytes).fill((byte) 0);
    out.asSlice(0, bytes).fill((byte) 0);
  }

  static void spoil(MemorySegment output) {
    output.fill(SPOILT);
  }

  /** One rank's part of a buffer that has a block for each. */
  static MemorySegment block(MemorySegment whole, int rank, int ranks) {
    long blockBytes = whole.byteSize() / ranks;
    return whole.asSlice(rank * blockBytes, blockBytes);
  }
}
