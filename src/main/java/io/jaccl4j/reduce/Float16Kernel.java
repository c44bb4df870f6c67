package io.jaccl4j.reduce;

import static io.jaccl4j.reduce.HalfFloats.FLOAT16_NAN;

import io.jaccl4j.ReduceOp;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * float16 through blocks in heap arrays: there C2 turns the JDK's conversions into vector
 * instructions, which it does not do over memory segments, and the Vector API has none.
 */
final class Float16Kernel implements ReduceKernel {
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final int BLOCK = 2048;
  static final short MAGNITUDE = 0x7FFF;
  static final short INFINITY = 0x7C00;

  /** A thread's blocks: kernels are shared between the engines of a process. */
  private static final ThreadLocal<short[][]> BLOCKS =
      ThreadLocal.withInitial(() -> new short[2][BLOCK]);

  /**
   * Finds a NaN in a block. C2 does not vectorise a search, and as a loop it is most of the time.
   */
  @FunctionalInterface
  interface NanSearch {

    /** Whether one of the first {@code n} values is a NaN. */
    boolean containsNan(short[] values, int n);
  }

  private final ReduceOp op;
  private final NanSearch nanSearch;

  Float16Kernel(ReduceOp op, NanSearch nanSearch) {
    this.op = op;
    this.nanSearch = nanSearch;
  }

  @Override
  public void reduce(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long elements) {
    short[][] blocks = BLOCKS.get();
    short[] left = blocks[0];
    short[] right = blocks[1];
    for (long done = 0; done < elements; done += BLOCK) {
      int n = (int) Math.min(BLOCK, elements - done);
      MemorySegment.copy(a, SHORT, x + 2 * done, left, 0, n);
      MemorySegment.copy(b, SHORT, y + 2 * done, right, 0, n);
      switch (op) {
        case SUM -> sum(left, right, n);
        case MAX -> max(left, right, n);
        case MIN -> min(left, right, n);
        case PRODUCT -> product(left, right, n);
      }
      if (nanSearch.containsNan(left, n)) {
        canonicalise(left, n);
      }
      MemorySegment.copy(left, 0, dst, SHORT, d + 2 * done, n);
    }
  }

  private static void sum(short[] left, short[] right, int n) {
    for (int i = 0; i < n; i++) {
      left[i] =
          Float.floatToFloat16(Float.float16ToFloat(left[i]) + Float.float16ToFloat(right[i]));
    }
  }

  private static void max(short[] left, short[] right, int n) {
    for (int i = 0; i < n; i++) {
      left[i] =
          Float.floatToFloat16(
              Math.max(Float.float16ToFloat(left[i]), Float.float16ToFloat(right[i])));
    }
  }

  private static void min(short[] left, short[] right, int n) {
    for (int i = 0; i < n; i++) {
      left[i] =
          Float.floatToFloat16(
              Math.min(Float.float16ToFloat(left[i]), Float.float16ToFloat(right[i])));
    }
  }

  private static void product(short[] left, short[] right, int n) {
    for (int i = 0; i < n; i++) {
      left[i] =
          Float.floatToFloat16(Float.float16ToFloat(left[i]) * Float.float16ToFloat(right[i]));
    }
  }

  private static void canonicalise(short[] values, int n) {
    for (int i = 0; i < n; i++) {
      if ((values[i] & MAGNITUDE) > INFINITY) {
        values[i] = FLOAT16_NAN;
      }
    }
  }
}
