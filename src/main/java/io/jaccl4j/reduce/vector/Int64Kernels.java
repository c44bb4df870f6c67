package io.jaccl4j.reduce.vector;

import static io.jaccl4j.reduce.vector.Lanes.LE;
import static io.jaccl4j.reduce.vector.Lanes.LONGS;
import static io.jaccl4j.reduce.vector.Lanes.STEP;

import io.jaccl4j.ReduceOp;
import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorOperators;

/** Integers of 64 bits. Sum and product wrap around, so they are the same for both signs. */
final class Int64Kernels {
  private Int64Kernels() {}

  static VectorLoop signed(ReduceOp op) {
    return switch (op) {
      case SUM -> Int64Kernels::sum;
      case MAX -> Int64Kernels::max;
      case MIN -> Int64Kernels::min;
      case PRODUCT -> Int64Kernels::product;
    };
  }

  static VectorLoop unsigned(ReduceOp op) {
    return switch (op) {
      case SUM -> Int64Kernels::sum;
      case MAX -> Int64Kernels::unsignedMax;
      case MIN -> Int64Kernels::unsignedMin;
      case PRODUCT -> Int64Kernels::product;
    };
  }

  private static void sum(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += STEP) {
      LongVector u = LongVector.fromMemorySegment(LONGS, a, x + i, LE);
      LongVector v = LongVector.fromMemorySegment(LONGS, b, y + i, LE);
      u.add(v).intoMemorySegment(dst, d + i, LE);
    }
  }

  private static void product(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += STEP) {
      LongVector u = LongVector.fromMemorySegment(LONGS, a, x + i, LE);
      LongVector v = LongVector.fromMemorySegment(LONGS, b, y + i, LE);
      u.mul(v).intoMemorySegment(dst, d + i, LE);
    }
  }

  private static void max(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += STEP) {
      LongVector u = LongVector.fromMemorySegment(LONGS, a, x + i, LE);
      LongVector v = LongVector.fromMemorySegment(LONGS, b, y + i, LE);
      u.max(v).intoMemorySegment(dst, d + i, LE);
    }
  }

  private static void min(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += STEP) {
      LongVector u = LongVector.fromMemorySegment(LONGS, a, x + i, LE);
      LongVector v = LongVector.fromMemorySegment(LONGS, b, y + i, LE);
      u.min(v).intoMemorySegment(dst, d + i, LE);
    }
  }

  private static void unsignedMax(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += STEP) {
      LongVector u = LongVector.fromMemorySegment(LONGS, a, x + i, LE);
      LongVector v = LongVector.fromMemorySegment(LONGS, b, y + i, LE);
      u.lanewise(VectorOperators.UMAX, v).intoMemorySegment(dst, d + i, LE);
    }
  }

  private static void unsignedMin(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += STEP) {
      LongVector u = LongVector.fromMemorySegment(LONGS, a, x + i, LE);
      LongVector v = LongVector.fromMemorySegment(LONGS, b, y + i, LE);
      u.lanewise(VectorOperators.UMIN, v).intoMemorySegment(dst, d + i, LE);
    }
  }
}
