package io.jaccl4j.cli.bench.exchange;

import io.jaccl4j.Dtype;
import io.jaccl4j.ReduceOp;
import java.lang.foreign.MemorySegment;
import java.util.function.LongFunction;

/**
 * Data whose reductions are exact in every element type: small whole numbers, quarters of them for
 * floats. What to expect is computed with {@code long} arithmetic, not with the kernels.
 *
 * <p>Elements repeat after a prime number of them, so that a block in a wrong place is noticed:
 * blocks and slots have a power of two of bytes. One period is computed and compared with the rest
 * by whole memory.
 */
final class TestPattern {
  private static final int PERIOD = 8191;

  /** 16 ranks times 7 is within an int8, and within the 8 bits of precision of a bfloat16. */
  private static final int VALUES = 15;

  private final Dtype dtype;
  private final int ranks;

  TestPattern(Dtype dtype, int ranks) {
    this.dtype = dtype;
    this.ranks = ranks;
  }

  Dtype dtype() {
    return dtype;
  }

  /** Writes the elements of one rank, beginning with element {@code first}. */
  void fill(MemorySegment segment, long first, int rank) {
    MemorySegment period = period(index -> ElementBits.of(dtype, element(index, rank)));
    forEachPiece(
        segment.byteSize(),
        first,
        (offset, periodOffset, bytes) ->
            MemorySegment.copy(period, periodOffset, segment, offset, bytes));
  }

  /** Elements that differ from one rank's. */
  long countWrong(MemorySegment segment, long first, int rank) {
    return countWrong(segment, first, period(index -> ElementBits.of(dtype, element(index, rank))));
  }

  /** Elements that differ from the reduction over all ranks. */
  long countWrongReduced(MemorySegment segment, long first, ReduceOp op) {
    return countWrong(
        segment, first, period(index -> ElementBits.of(dtype, reducedElement(index, op))));
  }

  private long countWrong(MemorySegment segment, long first, MemorySegment period) {
    long[] wrong = new long[1];
    forEachPiece(
        segment.byteSize(),
        first,
        (offset, periodOffset, bytes) -> {
          for (long done = 0; done < bytes; ) {
            long same =
                MemorySegment.mismatch(
                    segment,
                    offset + done,
                    offset + bytes,
                    period,
                    periodOffset + done,
                    periodOffset + bytes);
            if (same < 0) {
              return;
            }
            wrong[0]++;
            // The rest of the wrong element is not compared again.
            done = (done + same) / dtype.bytes() * dtype.bytes() + dtype.bytes();
          }
        });
    return wrong[0];
  }

  private ElementValue element(long index, int rank) {
    return new ElementValue(part(2 * index, rank), part(2 * index + 1, rank));
  }

  private ElementValue reducedElement(long index, ReduceOp op) {
    ElementValue result = element(index, 0);
    for (int rank = 1; rank < ranks; rank++) {
      result = result.combine(op, element(index, rank), dtype);
    }
    return result;
  }

  /** A number that looks random: 0 or 1, 0 to 7, or -7 to 7. */
  private long part(long index, int rank) {
    long mixed = (index + 1) * 0x9E3779B97F4A7C15L ^ (rank + 1) * 0xC2B2AE3D27D4EB4FL;
    mixed = (mixed ^ mixed >>> 31) * 0xBF58476D1CE4E5B9L;
    long value = (mixed >>> 33) % VALUES;
    return switch (dtype) {
      case BOOL -> value & 1;
      case UINT8, UINT16, UINT32, UINT64 -> value & 7;
      default -> value - VALUES / 2;
    };
  }

  private MemorySegment period(LongFunction<Long> bitsOf) {
    MemorySegment period = MemorySegment.ofArray(new byte[PERIOD * dtype.bytes()]);
    for (long index = 0; index < PERIOD; index++) {
      ElementBits.write(period, dtype, index, bitsOf.apply(index));
    }
    return period;
  }

  /** A part of a buffer that lies within one period. */
  @FunctionalInterface
  private interface Piece {
    void visit(long offset, long periodOffset, long bytes);
  }

  private void forEachPiece(long totalBytes, long first, Piece piece) {
    long periodBytes = (long) PERIOD * dtype.bytes();
    long periodOffset = first % PERIOD * dtype.bytes();
    for (long offset = 0; offset < totalBytes; ) {
      long bytes = Math.min(totalBytes - offset, periodBytes - periodOffset);
      piece.visit(offset, periodOffset, bytes);
      offset += bytes;
      periodOffset = 0;
    }
  }
}
