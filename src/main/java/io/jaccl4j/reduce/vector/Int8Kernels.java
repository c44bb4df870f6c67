package io.jaccl4j.reduce.vector;

import static io.jaccl4j.reduce.vector.Lanes.BYTES;
import static io.jaccl4j.reduce.vector.Lanes.LE;
import static io.jaccl4j.reduce.vector.Lanes.STEP;

import io.jaccl4j.ReduceOp;
import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.VectorOperators;

/** Integers of 8 bits. Sum and product wrap around, so they are the same for both signs. */
final class Int8Kernels {
  private Int8Kernels() {}

  static VectorLoop signed(ReduceOp op) {
    return switch (op) {
      case SUM -> Int8Kernels::sum;
      case MAX -> Int8Kernels::max;
      case MIN -> Int8Kernels::min;
      case PRODUCT -> Int8Kernels::product;
    };
  }

  static VectorLoop unsigned(ReduceOp op) {
    return switch (op) {
      case SUM -> Int8Kernels::sum;
      case MAX -> Int8Kernels::unsignedMax;
      case MIN -> Int8Kernels::unsignedMin;
      case PRODUCT -> Int8Kernels::product;
    };
  }

  private static void sum(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += STEP) {
      ByteVector u = ByteVector.fromMemorySegment(BYTES, a, x + i, LE);
      ByteVector v = ByteVector.fromMemorySegment(BYTES, b, y + i, LE);
      u.add(v).intoMemorySegment(dst, d + i, LE);
    }
  }

  private static void product(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += STEP) {
      ByteVector u = ByteVector.fromMemorySegment(BYTES, a, x + i, LE);
      ByteVector v = ByteVector.fromMemorySegment(BYTES, b, y + i, LE);
      u.mul(v).intoMemorySegment(dst, d + i, LE);
    }
  }

  private static void max(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += STEP) {
      ByteVector u = ByteVector.fromMemorySegment(BYTES, a, x + i, LE);
      ByteVector v = ByteVector.fromMemorySegment(BYTES, b, y + i, LE);
      u.max(v).intoMemorySegment(dst, d + i, LE);
    }
  }

  private static void min(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += STEP) {
      ByteVector u = ByteVector.fromMemorySegment(BYTES, a, x + i, LE);
      ByteVector v = ByteVector.fromMemorySegment(BYTES, b, y + i, LE);
      u.min(v).intoMemorySegment(dst, d + i, LE);
    }
  }

  private static void unsignedMax(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += STEP) {
      ByteVector u = ByteVector.fromMemorySegment(BYTES, a, x + i, LE);
      ByteVector v = ByteVector.fromMemorySegment(BYTES, b, y + i, LE);
      u.lanewise(VectorOperators.UMAX, v).intoMemorySegment(dst, d + i, LE);
    }
  }

  private static void unsignedMin(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += STEP) {
      ByteVector u = ByteVector.fromMemorySegment(BYTES, a, x + i, LE);
      ByteVector v = ByteVector.fromMemorySegment(BYTES, b, y + i, LE);
      u.lanewise(VectorOperators.UMIN, v).intoMemorySegment(dst, d + i, LE);
    }
  }
}
