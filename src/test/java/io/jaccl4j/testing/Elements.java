package io.jaccl4j.testing;

import io.jaccl4j.Dtype;
import io.jaccl4j.ReduceOp;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Test data whose reductions are exact in every element type, so that the expected value needs no
 * rounding rule: small integers, quarters for floats. Expected values are computed with {@code
 * long} arithmetic before scaling, not with the kernels.
 */
public final class Elements {
  /** After so many elements the values repeat. */
  private static final long PERIOD = 61;

  private Elements() {}

  /** Element {@code i} of rank {@code r} before scaling: in -30 .. 30. */
  private static long base(long i, int rank) {
    return (7 * i + 13L * rank) % PERIOD - 30;
  }

  /**
   * A buffer of {@code count} elements of rank {@code rank}, beginning with element {@code from}.
   */
  public static MemorySegment fill(Arena arena, Dtype dtype, long from, long count, int rank) {
    MemorySegment segment = arena.allocate(count * dtype.bytes(), 64);
    for (long i = 0; i < Math.min(count, PERIOD); i++) {
      set(segment, dtype, i, base(from + i, rank));
    }
    return repeat(segment, PERIOD * dtype.bytes());
  }

  /** What a reduction over all ranks gives, written into a new buffer. */
  public static MemorySegment reduced(
      Arena arena, ReduceOp op, Dtype dtype, long from, long count, int size) {
    MemorySegment segment = arena.allocate(count * dtype.bytes(), 64);
    for (long i = 0; i < Math.min(count, PERIOD); i++) {
      set(segment, dtype, i, reduced(op, from + i, size));
    }
    return repeat(segment, PERIOD * dtype.bytes());
  }

  /** Repeats the beginning of a buffer to its end, much faster than element by element. */
  public static MemorySegment repeat(MemorySegment segment, long periodBytes) {
    for (long done = periodBytes; done < segment.byteSize(); ) {
      long bytes = Math.min(done, segment.byteSize() - done);
      MemorySegment.copy(segment, 0, segment, done, bytes);
      done += bytes;
    }
    return segment;
  }

  private static long reduced(ReduceOp op, long i, int size) {
    long result = base(i, 0);
    for (int rank = 1; rank < size; rank++) {
      long value = base(i, rank);
      result =
          switch (op) {
            case SUM -> result + value;
            case MAX -> value > result ? value : result;
            case MIN -> value < result ? value : result;
            case PRODUCT -> throw new IllegalArgumentException("products are not exact");
          };
    }
    return result;
  }

  private static void set(MemorySegment segment, Dtype dtype, long i, long value) {
    switch (dtype) {
      case INT8 -> segment.set(ValueLayout.JAVA_BYTE, i, (byte) value);
      case INT16 -> segment.setAtIndex(ValueLayout.JAVA_SHORT, i, (short) value);
      case INT32 -> segment.setAtIndex(ValueLayout.JAVA_INT, i, (int) value);
      case INT64 -> segment.setAtIndex(ValueLayout.JAVA_LONG, i, value);
      case FLOAT16 ->
          segment.setAtIndex(ValueLayout.JAVA_SHORT, i, Float.floatToFloat16(value / 4f));
      case BFLOAT16 ->
          // Up to 8 significant bits are exact: the upper half of the float32 is the value.
          segment.setAtIndex(
              ValueLayout.JAVA_SHORT, i, (short) (Float.floatToIntBits(value / 4f) >>> 16));
      case FLOAT32 -> segment.setAtIndex(ValueLayout.JAVA_FLOAT, i, value / 4f);
      case FLOAT64 -> segment.setAtIndex(ValueLayout.JAVA_DOUBLE, i, value / 4d);
      default -> throw new IllegalArgumentException("no exact data for " + dtype);
    }
  }
}
