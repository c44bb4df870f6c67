package io.jaccl4j.ring;

import io.jaccl4j.Dtype;
import io.jaccl4j.InvalidBufferException;
import io.jaccl4j.buffer.BufferChecks;
import java.lang.foreign.MemorySegment;

/** What MLX's ring cannot reduce though the buffers are in order. Any thread. */
final class PaddedReduction {
  /** MLX pads a reduction of fewer elements than ranks in a buffer of this size. */
  static final int PADDED_BYTES = 1024;

  private final BufferChecks buffers;
  private final int rank;
  private final int size;

  PaddedReduction(BufferChecks buffers, int rank, int size) {
    this.buffers = buffers;
    this.rank = rank;
    this.size = size;
  }

  void check(String operation, MemorySegment in, MemorySegment out, Dtype dtype) {
    buffers.checkReduction(operation, in, out, dtype);
    long elements = in.byteSize() / dtype.bytes();
    if (elements < size && (long) size * dtype.bytes() > PADDED_BYTES) {
      throw new InvalidBufferException(
          operation
              + " on rank "
              + rank
              + ": MLX's ring cannot reduce "
              + elements
              + " elements of "
              + dtype
              + " over "
              + size
              + " ranks: fewer elements than ranks are padded in "
              + PADDED_BYTES
              + " bytes; reduce at least "
              + size
              + " elements");
    }
  }
}
