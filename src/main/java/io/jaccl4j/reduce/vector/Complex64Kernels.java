package io.jaccl4j.reduce.vector;

import static io.jaccl4j.reduce.vector.Lanes.INTS;
import static io.jaccl4j.reduce.vector.Lanes.LE;
import static io.jaccl4j.reduce.vector.Lanes.LONGS;
import static io.jaccl4j.reduce.vector.Lanes.STEP;

import io.jaccl4j.ReduceOp;
import io.jaccl4j.reduce.ElementRules;
import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;

/**
 * Pairs of {@code float32}: the real part in the lower half of a lane of 64 bits, the imaginary
 * part in the upper.
 *
 * <p>For a lexicographic comparison both parts become integers of the same order, and the lane one
 * integer with the real part on top.
 */
final class Complex64Kernels {
  private static final int MAGNITUDE = 0x7FFF_FFFF;
  private static final int INFINITY = 0x7F80_0000;
  private static final long REAL = 0xFFFF_FFFFL;
  private static final long IMAGINARY = 0xFFFF_FFFF_0000_0000L;
  private static final long LOWER_SIGN = 0x8000_0000L;
  private static final long SIGNS = 0x8000_0000_8000_0000L;
  private static final long NAN = 0x7FC0_0000_7FC0_0000L;

  private Complex64Kernels() {}

  static VectorLoop loop(ReduceOp op, ElementRules rules) {
    boolean compares = ElementRules.comparesAsJaccl(op, rules);
    return switch (op) {
      case SUM -> Float32Kernels.loop(ReduceOp.SUM, rules);
      case MAX -> compares ? Complex64Kernels::greater : Complex64Kernels::max;
      case MIN -> compares ? Complex64Kernels::less : Complex64Kernels::min;
      case PRODUCT -> Complex64Kernels::product;
    };
  }

  private static void max(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += STEP) {
      IntVector u = IntVector.fromMemorySegment(INTS, a, x + i, LE);
      IntVector v = IntVector.fromMemorySegment(INTS, b, y + i, LE);
      VectorMask<Long> greater = flipped(u).compare(VectorOperators.GT, flipped(v));
      v.reinterpretAsLongs()
          .blend(u.reinterpretAsLongs(), greater)
          .blend(NAN, nans(u, v))
          .intoMemorySegment(dst, d + i, LE);
    }
  }

  private static void min(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += STEP) {
      IntVector u = IntVector.fromMemorySegment(INTS, a, x + i, LE);
      IntVector v = IntVector.fromMemorySegment(INTS, b, y + i, LE);
      VectorMask<Long> less = flipped(u).compare(VectorOperators.LT, flipped(v));
      v.reinterpretAsLongs()
          .blend(u.reinterpretAsLongs(), less)
          .blend(NAN, nans(u, v))
          .intoMemorySegment(dst, d + i, LE);
    }
  }

  /**
   * JACCL's {@code a > b ? a : b}. A NaN is the smallest part in {@code a} and the largest in
   * {@code b}: where it decides, {@code a} is not greater.
   */
  private static void greater(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += STEP) {
      IntVector u = IntVector.fromMemorySegment(INTS, a, x + i, LE);
      IntVector v = IntVector.fromMemorySegment(INTS, b, y + i, LE);
      VectorMask<Long> greater =
          negated(u, Integer.MIN_VALUE).compare(VectorOperators.GT, negated(v, Integer.MAX_VALUE));
      v.reinterpretAsLongs()
          .blend(u.reinterpretAsLongs(), greater)
          .intoMemorySegment(dst, d + i, LE);
    }
  }

  /** JACCL's {@code a < b ? a : b}, with NaN the other way round. */
  private static void less(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += STEP) {
      IntVector u = IntVector.fromMemorySegment(INTS, a, x + i, LE);
      IntVector v = IntVector.fromMemorySegment(INTS, b, y + i, LE);
      VectorMask<Long> less =
          negated(u, Integer.MAX_VALUE).compare(VectorOperators.LT, negated(v, Integer.MIN_VALUE));
      v.reinterpretAsLongs().blend(u.reinterpretAsLongs(), less).intoMemorySegment(dst, d + i, LE);
    }
  }

  private static void product(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += STEP) {
      LongVector u = LongVector.fromMemorySegment(LONGS, a, x + i, LE);
      LongVector v = LongVector.fromMemorySegment(LONGS, b, y + i, LE);
      FloatVector real = u.and(REAL).or(u.lanewise(VectorOperators.LSHL, 32)).reinterpretAsFloats();
      FloatVector imaginary =
          u.lanewise(VectorOperators.LSHR, 32).or(u.and(IMAGINARY)).reinterpretAsFloats();
      FloatVector byReal = real.mul(v.reinterpretAsFloats());
      FloatVector byImaginary =
          imaginary.mul(v.lanewise(VectorOperators.ROL, 32).reinterpretAsFloats());
      // Adding the opposite number is subtracting, bit by bit, but for the sign of a NaN.
      FloatVector subtracted =
          byImaginary
              .reinterpretAsLongs()
              .lanewise(VectorOperators.XOR, LOWER_SIGN)
              .reinterpretAsFloats();
      Float32Kernels.canonical(byReal.add(subtracted)).intoMemorySegment(dst, d + i, LE);
    }
  }

  /** Where a part of either is a NaN: its magnitude carries into the sign. */
  private static VectorMask<Long> nans(IntVector u, IntVector v) {
    return u.and(MAGNITUDE)
        .max(v.and(MAGNITUDE))
        .add(MAGNITUDE - INFINITY)
        .reinterpretAsLongs()
        .and(SIGNS)
        .compare(VectorOperators.NE, 0);
  }

  /** Integers in the order of the numbers, with -0 below +0. */
  private static LongVector flipped(IntVector parts) {
    IntVector sign = parts.lanewise(VectorOperators.ASHR, 31);
    return realFirst(parts.lanewise(VectorOperators.XOR, sign.and(MAGNITUDE)));
  }

  /** Integers in the order of the numbers, with -0 and +0 the same, and NaN where it is put. */
  private static LongVector negated(IntVector parts, int nan) {
    IntVector sign = parts.lanewise(VectorOperators.ASHR, 31);
    IntVector magnitude = parts.and(MAGNITUDE);
    return realFirst(
        magnitude
            .lanewise(VectorOperators.XOR, sign)
            .sub(sign)
            .blend(nan, magnitude.compare(VectorOperators.GT, INFINITY)));
  }

  private static LongVector realFirst(IntVector parts) {
    return parts
        .reinterpretAsLongs()
        .lanewise(VectorOperators.ROL, 32)
        .lanewise(VectorOperators.XOR, LOWER_SIGN);
  }
}
