package io.jaccl4j.reduce.vector;

import static io.jaccl4j.reduce.vector.Lanes.LE;
import static io.jaccl4j.reduce.vector.Lanes.SHORTS;
import static io.jaccl4j.reduce.vector.Lanes.STEP;

import io.jaccl4j.ReduceOp;
import io.jaccl4j.reduce.ElementRules;
import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;

/**
 * Maximum and minimum of the 16-bit float types without conversion: sign and magnitude become an
 * integer of the same order, and whatever has a magnitude above infinity is a NaN.
 */
final class HalfFloatOrder {
  private static final short MAGNITUDE = 0x7FFF;

  private final short infinity;
  private final short nan;

  /** The type's infinity and its canonical NaN, as bits. */
  HalfFloatOrder(short infinity, short nan) {
    this.infinity = infinity;
    this.nan = nan;
  }

  VectorLoop loop(ReduceOp op, ElementRules rules) {
    boolean compares = ElementRules.comparesAsJaccl(op, rules);
    return switch (op) {
      case MAX -> compares ? this::greater : this::max;
      case MIN -> compares ? this::less : this::min;
      case SUM, PRODUCT -> throw new IllegalArgumentException(op + " is not a comparison");
    };
  }

  private void max(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += STEP) {
      ShortVector u = ShortVector.fromMemorySegment(SHORTS, a, x + i, LE);
      ShortVector v = ShortVector.fromMemorySegment(SHORTS, b, y + i, LE);
      flipped(flipped(u).max(flipped(v))).blend(nan, nans(u, v)).intoMemorySegment(dst, d + i, LE);
    }
  }

  private void min(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += STEP) {
      ShortVector u = ShortVector.fromMemorySegment(SHORTS, a, x + i, LE);
      ShortVector v = ShortVector.fromMemorySegment(SHORTS, b, y + i, LE);
      flipped(flipped(u).min(flipped(v))).blend(nan, nans(u, v)).intoMemorySegment(dst, d + i, LE);
    }
  }

  /** JACCL's {@code a > b ? a : b}. */
  private void greater(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += STEP) {
      ShortVector u = ShortVector.fromMemorySegment(SHORTS, a, x + i, LE);
      ShortVector v = ShortVector.fromMemorySegment(SHORTS, b, y + i, LE);
      VectorMask<Short> greater = negated(u).compare(VectorOperators.GT, negated(v));
      v.blend(u, greater.andNot(nans(u, v))).intoMemorySegment(dst, d + i, LE);
    }
  }

  /** JACCL's {@code a < b ? a : b}. */
  private void less(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += STEP) {
      ShortVector u = ShortVector.fromMemorySegment(SHORTS, a, x + i, LE);
      ShortVector v = ShortVector.fromMemorySegment(SHORTS, b, y + i, LE);
      VectorMask<Short> less = negated(u).compare(VectorOperators.LT, negated(v));
      v.blend(u, less.andNot(nans(u, v))).intoMemorySegment(dst, d + i, LE);
    }
  }

  /** Where either is a NaN. */
  private VectorMask<Short> nans(ShortVector u, ShortVector v) {
    return u.and(MAGNITUDE).max(v.and(MAGNITUDE)).compare(VectorOperators.GT, infinity);
  }

  /** Integers in the order of the numbers, with -0 below +0. Its own inverse. */
  private static ShortVector flipped(ShortVector bits) {
    return bits.lanewise(
        VectorOperators.XOR, bits.lanewise(VectorOperators.ASHR, 15).and(MAGNITUDE));
  }

  /** Integers in the order of the numbers, with -0 and +0 the same. */
  private static ShortVector negated(ShortVector bits) {
    ShortVector sign = bits.lanewise(VectorOperators.ASHR, 15);
    return bits.and(MAGNITUDE).lanewise(VectorOperators.XOR, sign).sub(sign);
  }
}
