package io.jaccl4j.reduce.vector;

import static io.jaccl4j.reduce.vector.Lanes.BYTES;
import static io.jaccl4j.reduce.vector.Lanes.LE;
import static io.jaccl4j.reduce.vector.Lanes.STEP;

import io.jaccl4j.ReduceOp;
import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.ByteVector;

/** Booleans of one byte. */
final class BoolKernels {
  private BoolKernels() {}

  static VectorLoop loop(ReduceOp op) {
    return switch (op) {
      case SUM, MAX -> BoolKernels::or;
      case MIN, PRODUCT -> BoolKernels::and;
    };
  }

  private static void or(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += STEP) {
      ByteVector u = ByteVector.fromMemorySegment(BYTES, a, x + i, LE);
      ByteVector v = ByteVector.fromMemorySegment(BYTES, b, y + i, LE);
      u.or(v).intoMemorySegment(dst, d + i, LE);
    }
  }

  private static void and(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += STEP) {
      ByteVector u = ByteVector.fromMemorySegment(BYTES, a, x + i, LE);
      ByteVector v = ByteVector.fromMemorySegment(BYTES, b, y + i, LE);
      u.and(v).intoMemorySegment(dst, d + i, LE);
    }
  }
}
