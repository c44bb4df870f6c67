package io.jaccl4j.reduce.vector;

import static io.jaccl4j.reduce.vector.Lanes.SHORTS;

import io.jaccl4j.ReduceOp;
import io.jaccl4j.reduce.HalfFloats;
import io.jaccl4j.reduce.ReduceKernel;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;

/**
 * Arithmetic of float16 through blocks in heap arrays: there C2 turns the JDK's conversions into
 * vector instructions, which it does not do over memory segments, and the Vector API has none.
 */
final class Float16Kernels {
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final int BLOCK = 2048;
  private static final short MAGNITUDE = 0x7FFF;
  private static final HalfFloatOrder ORDER =
      new HalfFloatOrder(HalfFloats.FLOAT16_INFINITY, HalfFloats.FLOAT16_NAN);

  /** A thread's blocks: kernels are shared between the engines of a process. */
  private static final ThreadLocal<short[][]> BLOCKS =
      ThreadLocal.withInitial(() -> new short[2][BLOCK]);

  private Float16Kernels() {}

  /** Maximum and minimum, which need no arithmetic. */
  static HalfFloatOrder order() {
    return ORDER;
  }

  static ReduceKernel arithmetic(ReduceOp op) {
    return switch (op) {
      case SUM -> (dst, d, a, x, b, y, n) -> inBlocks(Float16Kernels::sum, dst, d, a, x, b, y, n);
      case PRODUCT ->
          (dst, d, a, x, b, y, n) -> inBlocks(Float16Kernels::product, dst, d, a, x, b, y, n);
      case MAX, MIN -> throw new IllegalArgumentException(op + " is a comparison");
    };
  }

  /** {@code left[i] = op(left[i], right[i])} for the first {@code n} elements. */
  @FunctionalInterface
  private interface BlockLoop {
    void run(short[] left, short[] right, int n);
  }

  private static void inBlocks(
      BlockLoop loop,
      MemorySegment dst,
      long d,
      MemorySegment a,
      long x,
      MemorySegment b,
      long y,
      long elements) {
    short[][] blocks = BLOCKS.get();
    short[] left = blocks[0];
    short[] right = blocks[1];
    for (long done = 0; done < elements; done += BLOCK) {
      int n = (int) Math.min(BLOCK, elements - done);
      MemorySegment.copy(a, SHORT, x + 2 * done, left, 0, n);
      MemorySegment.copy(b, SHORT, y + 2 * done, right, 0, n);
      loop.run(left, right, n);
      store(left, n, dst, d + 2 * done);
    }
  }

  static void divide(MemorySegment data, long offset, long elements, int divisor) {
    short[] block = BLOCKS.get()[0];
    for (long done = 0; done < elements; done += BLOCK) {
      int n = (int) Math.min(BLOCK, elements - done);
      MemorySegment.copy(data, SHORT, offset + 2 * done, block, 0, n);
      quotients(block, n, divisor);
      store(block, n, data, offset + 2 * done);
    }
  }

  private static void sum(short[] left, short[] right, int n) {
    for (int i = 0; i < n; i++) {
      left[i] =
          Float.floatToFloat16(Float.float16ToFloat(left[i]) + Float.float16ToFloat(right[i]));
    }
  }

  private static void product(short[] left, short[] right, int n) {
    for (int i = 0; i < n; i++) {
      left[i] =
          Float.floatToFloat16(Float.float16ToFloat(left[i]) * Float.float16ToFloat(right[i]));
    }
  }

  private static void quotients(short[] values, int n, float divisor) {
    for (int i = 0; i < n; i++) {
      values[i] = Float.floatToFloat16(Float.float16ToFloat(values[i]) / divisor);
    }
  }

  /** Writes a block with the canonical NaN for every other one. */
  private static void store(short[] block, int n, MemorySegment dst, long offset) {
    int whole = SHORTS.loopBound(n);
    for (int i = 0; i < whole; i += SHORTS.length()) {
      ShortVector bits = ShortVector.fromArray(SHORTS, block, i);
      bits.blend(
              HalfFloats.FLOAT16_NAN,
              bits.and(MAGNITUDE).compare(VectorOperators.GT, HalfFloats.FLOAT16_INFINITY))
          .intoMemorySegment(dst, offset + 2L * i, Lanes.LE);
    }
    for (int i = whole; i < n; i++) {
      boolean nan = (block[i] & MAGNITUDE) > HalfFloats.FLOAT16_INFINITY;
      dst.set(SHORT, offset + 2L * i, nan ? HalfFloats.FLOAT16_NAN : block[i]);
    }
  }
}
