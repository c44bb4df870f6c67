package io.jaccl4j.reduce.vector;

import static io.jaccl4j.reduce.vector.Lanes.FLOATS;
import static io.jaccl4j.reduce.vector.Lanes.LE;
import static io.jaccl4j.reduce.vector.Lanes.STEP;

import io.jaccl4j.ReduceOp;
import io.jaccl4j.reduce.ElementRules;
import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;

/** Numbers of 32 bits; also the parts of a complex number, in a sum. */
final class Float32Kernels {
  private Float32Kernels() {}

  static VectorLoop loop(ReduceOp op, ElementRules rules) {
    boolean compares = ElementRules.comparesAsJaccl(op, rules);
    return switch (op) {
      case SUM -> Float32Kernels::sum;
      case MAX -> compares ? Float32Kernels::greater : Float32Kernels::max;
      case MIN -> compares ? Float32Kernels::less : Float32Kernels::min;
      case PRODUCT -> Float32Kernels::product;
    };
  }

  private static void sum(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += STEP) {
      FloatVector u = FloatVector.fromMemorySegment(FLOATS, a, x + i, LE);
      FloatVector v = FloatVector.fromMemorySegment(FLOATS, b, y + i, LE);
      canonical(u.add(v)).intoMemorySegment(dst, d + i, LE);
    }
  }

  private static void product(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += STEP) {
      FloatVector u = FloatVector.fromMemorySegment(FLOATS, a, x + i, LE);
      FloatVector v = FloatVector.fromMemorySegment(FLOATS, b, y + i, LE);
      canonical(u.mul(v)).intoMemorySegment(dst, d + i, LE);
    }
  }

  private static void max(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += STEP) {
      FloatVector u = FloatVector.fromMemorySegment(FLOATS, a, x + i, LE);
      FloatVector v = FloatVector.fromMemorySegment(FLOATS, b, y + i, LE);
      canonical(u.max(v)).intoMemorySegment(dst, d + i, LE);
    }
  }

  private static void min(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += STEP) {
      FloatVector u = FloatVector.fromMemorySegment(FLOATS, a, x + i, LE);
      FloatVector v = FloatVector.fromMemorySegment(FLOATS, b, y + i, LE);
      canonical(u.min(v)).intoMemorySegment(dst, d + i, LE);
    }
  }

  /** JACCL's {@code a > b ? a : b}. */
  private static void greater(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += STEP) {
      FloatVector u = FloatVector.fromMemorySegment(FLOATS, a, x + i, LE);
      FloatVector v = FloatVector.fromMemorySegment(FLOATS, b, y + i, LE);
      v.blend(u, u.compare(VectorOperators.GT, v)).intoMemorySegment(dst, d + i, LE);
    }
  }

  /** JACCL's {@code a < b ? a : b}. */
  private static void less(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += STEP) {
      FloatVector u = FloatVector.fromMemorySegment(FLOATS, a, x + i, LE);
      FloatVector v = FloatVector.fromMemorySegment(FLOATS, b, y + i, LE);
      v.blend(u, u.compare(VectorOperators.LT, v)).intoMemorySegment(dst, d + i, LE);
    }
  }

  static void divide(MemorySegment data, long offset, long bytes, int divisor) {
    for (long i = offset; i < offset + bytes; i += STEP) {
      FloatVector u = FloatVector.fromMemorySegment(FLOATS, data, i, LE);
      canonical(u.div((float) divisor)).intoMemorySegment(data, i, LE);
    }
  }

  /** With the canonical NaN for every other one. */
  static FloatVector canonical(FloatVector value) {
    return value.blend(Float.NaN, value.compare(VectorOperators.NE, value));
  }
}
