package io.jaccl4j.reduce.vector;

import static io.jaccl4j.reduce.vector.Lanes.DOUBLES;
import static io.jaccl4j.reduce.vector.Lanes.LE;
import static io.jaccl4j.reduce.vector.Lanes.STEP;

import io.jaccl4j.ReduceOp;
import io.jaccl4j.reduce.ElementRules;
import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorOperators;

/** Numbers of 64 bits. */
final class Float64Kernels {
  private Float64Kernels() {}

  static VectorLoop loop(ReduceOp op, ElementRules rules) {
    boolean compares = ElementRules.comparesAsJaccl(op, rules);
    return switch (op) {
      case SUM -> Float64Kernels::sum;
      case MAX -> compares ? Float64Kernels::greater : Float64Kernels::max;
      case MIN -> compares ? Float64Kernels::less : Float64Kernels::min;
      case PRODUCT -> Float64Kernels::product;
    };
  }

  private static void sum(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += STEP) {
      DoubleVector u = DoubleVector.fromMemorySegment(DOUBLES, a, x + i, LE);
      DoubleVector v = DoubleVector.fromMemorySegment(DOUBLES, b, y + i, LE);
      canonical(u.add(v)).intoMemorySegment(dst, d + i, LE);
    }
  }

  private static void product(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += STEP) {
      DoubleVector u = DoubleVector.fromMemorySegment(DOUBLES, a, x + i, LE);
      DoubleVector v = DoubleVector.fromMemorySegment(DOUBLES, b, y + i, LE);
      canonical(u.mul(v)).intoMemorySegment(dst, d + i, LE);
    }
  }

  private static void max(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += STEP) {
      DoubleVector u = DoubleVector.fromMemorySegment(DOUBLES, a, x + i, LE);
      DoubleVector v = DoubleVector.fromMemorySegment(DOUBLES, b, y + i, LE);
      canonical(u.max(v)).intoMemorySegment(dst, d + i, LE);
    }
  }

  private static void min(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += STEP) {
      DoubleVector u = DoubleVector.fromMemorySegment(DOUBLES, a, x + i, LE);
      DoubleVector v = DoubleVector.fromMemorySegment(DOUBLES, b, y + i, LE);
      canonical(u.min(v)).intoMemorySegment(dst, d + i, LE);
    }
  }

  /** JACCL's {@code a > b ? a : b}. */
  private static void greater(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += STEP) {
      DoubleVector u = DoubleVector.fromMemorySegment(DOUBLES, a, x + i, LE);
      DoubleVector v = DoubleVector.fromMemorySegment(DOUBLES, b, y + i, LE);
      v.blend(u, u.compare(VectorOperators.GT, v)).intoMemorySegment(dst, d + i, LE);
    }
  }

  /** JACCL's {@code a < b ? a : b}. */
  private static void less(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += STEP) {
      DoubleVector u = DoubleVector.fromMemorySegment(DOUBLES, a, x + i, LE);
      DoubleVector v = DoubleVector.fromMemorySegment(DOUBLES, b, y + i, LE);
      v.blend(u, u.compare(VectorOperators.LT, v)).intoMemorySegment(dst, d + i, LE);
    }
  }

  static void divide(MemorySegment data, long offset, long bytes, int divisor) {
    for (long i = offset; i < offset + bytes; i += STEP) {
      DoubleVector u = DoubleVector.fromMemorySegment(DOUBLES, data, i, LE);
      canonical(u.div((double) divisor)).intoMemorySegment(data, i, LE);
    }
  }

  /** With the canonical NaN for every other one. */
  private static DoubleVector canonical(DoubleVector value) {
    return value.blend(Double.NaN, value.compare(VectorOperators.NE, value));
  }
}
