package io.jaccl4j.reduce.vector;

import static io.jaccl4j.reduce.vector.Lanes.HALF_SHORTS;
import static io.jaccl4j.reduce.vector.Lanes.HALF_STEP;
import static io.jaccl4j.reduce.vector.Lanes.INTS;
import static io.jaccl4j.reduce.vector.Lanes.LE;

import io.jaccl4j.ReduceOp;
import io.jaccl4j.reduce.ElementRules;
import io.jaccl4j.reduce.HalfFloats;
import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;

/**
 * Numbers of 16 bits that are the upper half of a {@code float32}: half a vector widens into one of
 * those. Unpacking whole vectors into even and odd elements is slower.
 */
final class Bfloat16Kernels {
  private static final HalfFloatOrder ORDER =
      new HalfFloatOrder(HalfFloats.BFLOAT16_INFINITY, HalfFloats.BFLOAT16_NAN);

  private Bfloat16Kernels() {}

  static VectorLoop loop(ReduceOp op, ElementRules rules) {
    return switch (op) {
      case SUM -> Bfloat16Kernels::sum;
      case MAX, MIN -> ORDER.loop(op, rules);
      case PRODUCT -> Bfloat16Kernels::product;
    };
  }

  private static void sum(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += HALF_STEP) {
      ShortVector u = ShortVector.fromMemorySegment(HALF_SHORTS, a, x + i, LE);
      ShortVector v = ShortVector.fromMemorySegment(HALF_SHORTS, b, y + i, LE);
      narrow(widen(u).add(widen(v))).intoMemorySegment(dst, d + i, LE);
    }
  }

  private static void product(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += HALF_STEP) {
      ShortVector u = ShortVector.fromMemorySegment(HALF_SHORTS, a, x + i, LE);
      ShortVector v = ShortVector.fromMemorySegment(HALF_SHORTS, b, y + i, LE);
      narrow(widen(u).mul(widen(v))).intoMemorySegment(dst, d + i, LE);
    }
  }

  static void divide(MemorySegment data, long offset, long bytes, int divisor) {
    for (long i = offset; i < offset + bytes; i += HALF_STEP) {
      ShortVector u = ShortVector.fromMemorySegment(HALF_SHORTS, data, i, LE);
      narrow(widen(u).div((float) divisor)).intoMemorySegment(data, i, LE);
    }
  }

  private static FloatVector widen(ShortVector bfloat16) {
    IntVector bits = (IntVector) bfloat16.convertShape(VectorOperators.ZERO_EXTEND_S2I, INTS, 0);
    return bits.lanewise(VectorOperators.LSHL, 16).reinterpretAsFloats();
  }

  /** {@link HalfFloats#floatToBfloat16}, lane by lane. */
  private static ShortVector narrow(FloatVector value) {
    VectorMask<Integer> nan = value.compare(VectorOperators.NE, value).cast(INTS);
    IntVector bits = value.reinterpretAsInts();
    IntVector odd = bits.lanewise(VectorOperators.LSHR, 16).and(1);
    IntVector rounded = bits.add(0x7FFF).add(odd).lanewise(VectorOperators.LSHR, 16);
    return (ShortVector)
        rounded
            .blend(HalfFloats.BFLOAT16_NAN, nan)
            .convertShape(VectorOperators.I2S, HALF_SHORTS, 0);
  }
}
