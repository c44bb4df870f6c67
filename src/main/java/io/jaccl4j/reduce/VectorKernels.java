package io.jaccl4j.reduce;

import io.jaccl4j.Dtype;
import io.jaccl4j.ReduceOp;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/**
 * Kernels on the Vector API, the only class that uses it. Whole vectors here, the rest of a buffer
 * by the scalar reference.
 *
 * <p>Each loop is written out: C2 turns a lane-wise operation into an instruction only where the
 * operator is a constant of the compiled method, and a shared loop is not reliably inlined.
 */
final class VectorKernels implements KernelProvider {
  private static final ByteOrder LE = ByteOrder.LITTLE_ENDIAN;
  private static final VectorSpecies<Byte> BYTES = ByteVector.SPECIES_PREFERRED;
  private static final VectorSpecies<Short> SHORTS = ShortVector.SPECIES_PREFERRED;
  private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_PREFERRED;
  private static final VectorSpecies<Long> LONGS = LongVector.SPECIES_PREFERRED;
  private static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_PREFERRED;
  private static final VectorSpecies<Double> DOUBLES = DoubleVector.SPECIES_PREFERRED;

  /** Half as wide as {@link #INTS}, so that one vector of shorts widens into one of ints. */
  private static final VectorSpecies<Short> HALF_SHORTS =
      VectorSpecies.of(short.class, VectorShape.forBitSize(INTS.vectorBitSize() / 2));

  private static final long STEP = BYTES.vectorByteSize();
  private static final long HALF_STEP = HALF_SHORTS.vectorByteSize();

  private final KernelProvider scalar = new ScalarKernels();

  @Override
  public String name() {
    return "vector (" + BYTES.vectorBitSize() + " bits)";
  }

  @Override
  public ReduceKernel kernel(ReduceOp op, Dtype dtype, ElementRules rules) {
    ReduceKernel rest = scalar.kernel(op, dtype, rules);
    boolean compares = ElementRules.comparesAsJaccl(op, rules);
    if (compares) {
      Loop loop = compared(op, dtype);
      if (loop != null) {
        return whole(loop, rest, dtype.bytes());
      }
    }
    return switch (dtype) {
      case BOOL ->
          whole(
              op == ReduceOp.MIN || op == ReduceOp.PRODUCT ? VectorKernels::and : VectorKernels::or,
              rest,
              1);
      case INT8 ->
          choose(
              op,
              VectorKernels::int8Sum,
              VectorKernels::int8Max,
              VectorKernels::int8Min,
              VectorKernels::int8Product,
              rest,
              1);
      case UINT8 ->
          choose(
              op,
              VectorKernels::int8Sum,
              VectorKernels::uint8Max,
              VectorKernels::uint8Min,
              VectorKernels::int8Product,
              rest,
              1);
      case INT16 ->
          choose(
              op,
              VectorKernels::int16Sum,
              VectorKernels::int16Max,
              VectorKernels::int16Min,
              VectorKernels::int16Product,
              rest,
              2);
      case UINT16 ->
          choose(
              op,
              VectorKernels::int16Sum,
              VectorKernels::uint16Max,
              VectorKernels::uint16Min,
              VectorKernels::int16Product,
              rest,
              2);
      case INT32 ->
          choose(
              op,
              VectorKernels::int32Sum,
              VectorKernels::int32Max,
              VectorKernels::int32Min,
              VectorKernels::int32Product,
              rest,
              4);
      case UINT32 ->
          choose(
              op,
              VectorKernels::int32Sum,
              VectorKernels::uint32Max,
              VectorKernels::uint32Min,
              VectorKernels::int32Product,
              rest,
              4);
      case INT64 ->
          choose(
              op,
              VectorKernels::int64Sum,
              VectorKernels::int64Max,
              VectorKernels::int64Min,
              VectorKernels::int64Product,
              rest,
              8);
      case UINT64 ->
          choose(
              op,
              VectorKernels::int64Sum,
              VectorKernels::uint64Max,
              VectorKernels::uint64Min,
              VectorKernels::int64Product,
              rest,
              8);
      case FLOAT32 ->
          choose(
              op,
              VectorKernels::float32Sum,
              VectorKernels::float32Max,
              VectorKernels::float32Min,
              VectorKernels::float32Product,
              rest,
              4);
      case FLOAT64 ->
          choose(
              op,
              VectorKernels::float64Sum,
              VectorKernels::float64Max,
              VectorKernels::float64Min,
              VectorKernels::float64Product,
              rest,
              8);
      case BFLOAT16 ->
          choose(
              op,
              VectorKernels::bfloat16Sum,
              VectorKernels::bfloat16Max,
              VectorKernels::bfloat16Min,
              VectorKernels::bfloat16Product,
              rest,
              2);
      case COMPLEX64 -> op == ReduceOp.SUM ? whole(VectorKernels::float32Sum, rest, 8) : rest;
      case FLOAT16 -> compares ? rest : new Float16Kernel(op, VectorKernels::containsFloat16Nan);
    };
  }

  /** Works on whole vectors only: {@code bytes} is a multiple of the vector size. */
  @FunctionalInterface
  private interface Loop {
    void run(
        MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes);
  }

  private static ReduceKernel choose(
      ReduceOp op,
      Loop sum,
      Loop max,
      Loop min,
      Loop product,
      ReduceKernel rest,
      int elementBytes) {
    return switch (op) {
      case SUM -> whole(sum, rest, elementBytes);
      case MAX -> whole(max, rest, elementBytes);
      case MIN -> whole(min, rest, elementBytes);
      case PRODUCT -> whole(product, rest, elementBytes);
    };
  }

  private static ReduceKernel whole(Loop loop, ReduceKernel rest, int elementBytes) {
    return (dst, d, a, x, b, y, elements) -> {
      long bytes = elements * elementBytes;
      long vectorBytes = bytes & -STEP;
      if (vectorBytes > 0) {
        loop.run(dst, d, a, x, b, y, vectorBytes);
      }
      if (vectorBytes < bytes) {
        rest.reduce(
            dst,
            d + vectorBytes,
            a,
            x + vectorBytes,
            b,
            y + vectorBytes,
            (bytes - vectorBytes) / elementBytes);
      }
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

  private static void int8Sum(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += STEP) {
      ByteVector u = ByteVector.fromMemorySegment(BYTES, a, x + i, LE);
      ByteVector v = ByteVector.fromMemorySegment(BYTES, b, y + i, LE);
      u.add(v).intoMemorySegment(dst, d + i, LE);
    }
  }

  private static void int8Max(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += STEP) {
      ByteVector u = ByteVector.fromMemorySegment(BYTES, a, x + i, LE);
      ByteVector v = ByteVector.fromMemorySegment(BYTES, b, y + i, LE);
      u.max(v).intoMemorySegment(dst, d + i, LE);
    }
  }

  private static void int8Min(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += STEP) {
      ByteVector u = ByteVector.fromMemorySegment(BYTES, a, x + i, LE);
      ByteVector v = ByteVector.fromMemorySegment(BYTES, b, y + i, LE);
      u.min(v).intoMemorySegment(dst, d + i, LE);
    }
  }

  private static void uint8Max(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += STEP) {
      ByteVector u = ByteVector.fromMemorySegment(BYTES, a, x + i, LE);
      ByteVector v = ByteVector.fromMemorySegment(BYTES, b, y + i, LE);
      u.lanewise(VectorOperators.UMAX, v).intoMemorySegment(dst, d + i, LE);
    }
  }

  private static void uint8Min(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += STEP) {
      ByteVector u = ByteVector.fromMemorySegment(BYTES, a, x + i, LE);
      ByteVector v = ByteVector.fromMemorySegment(BYTES, b, y + i, LE);
      u.lanewise(VectorOperators.UMIN, v).intoMemorySegment(dst, d + i, LE);
    }
  }

  private static void int16Sum(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += STEP) {
      ShortVector u = ShortVector.fromMemorySegment(SHORTS, a, x + i, LE);
      ShortVector v = ShortVector.fromMemorySegment(SHORTS, b, y + i, LE);
      u.add(v).intoMemorySegment(dst, d + i, LE);
    }
  }

  private static void int16Max(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += STEP) {
      ShortVector u = ShortVector.fromMemorySegment(SHORTS, a, x + i, LE);
      ShortVector v = ShortVector.fromMemorySegment(SHORTS, b, y + i, LE);
      u.max(v).intoMemorySegment(dst, d + i, LE);
    }
  }

  private static void int16Min(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += STEP) {
      ShortVector u = ShortVector.fromMemorySegment(SHORTS, a, x + i, LE);
      ShortVector v = ShortVector.fromMemorySegment(SHORTS, b, y + i, LE);
      u.min(v).intoMemorySegment(dst, d + i, LE);
    }
  }

  private static void uint16Max(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += STEP) {
      ShortVector u = ShortVector.fromMemorySegment(SHORTS, a, x + i, LE);
      ShortVector v = ShortVector.fromMemorySegment(SHORTS, b, y + i, LE);
      u.lanewise(VectorOperators.UMAX, v).intoMemorySegment(dst, d + i, LE);
    }
  }

  private static void uint16Min(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += STEP) {
      ShortVector u = ShortVector.fromMemorySegment(SHORTS, a, x + i, LE);
      ShortVector v = ShortVector.fromMemorySegment(SHORTS, b, y + i, LE);
      u.lanewise(VectorOperators.UMIN, v).intoMemorySegment(dst, d + i, LE);
    }
  }

  private static void int32Sum(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += STEP) {
      IntVector u = IntVector.fromMemorySegment(INTS, a, x + i, LE);
      IntVector v = IntVector.fromMemorySegment(INTS, b, y + i, LE);
      u.add(v).intoMemorySegment(dst, d + i, LE);
    }
  }

  private static void int32Max(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += STEP) {
      IntVector u = IntVector.fromMemorySegment(INTS, a, x + i, LE);
      IntVector v = IntVector.fromMemorySegment(INTS, b, y + i, LE);
      u.max(v).intoMemorySegment(dst, d + i, LE);
    }
  }

  private static void int32Min(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += STEP) {
      IntVector u = IntVector.fromMemorySegment(INTS, a, x + i, LE);
      IntVector v = IntVector.fromMemorySegment(INTS, b, y + i, LE);
      u.min(v).intoMemorySegment(dst, d + i, LE);
    }
  }

  private static void uint32Max(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += STEP) {
      IntVector u = IntVector.fromMemorySegment(INTS, a, x + i, LE);
      IntVector v = IntVector.fromMemorySegment(INTS, b, y + i, LE);
      u.lanewise(VectorOperators.UMAX, v).intoMemorySegment(dst, d + i, LE);
    }
  }

  private static void uint32Min(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += STEP) {
      IntVector u = IntVector.fromMemorySegment(INTS, a, x + i, LE);
      IntVector v = IntVector.fromMemorySegment(INTS, b, y + i, LE);
      u.lanewise(VectorOperators.UMIN, v).intoMemorySegment(dst, d + i, LE);
    }
  }

  private static void int64Sum(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += STEP) {
      LongVector u = LongVector.fromMemorySegment(LONGS, a, x + i, LE);
      LongVector v = LongVector.fromMemorySegment(LONGS, b, y + i, LE);
      u.add(v).intoMemorySegment(dst, d + i, LE);
    }
  }

  private static void int64Max(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += STEP) {
      LongVector u = LongVector.fromMemorySegment(LONGS, a, x + i, LE);
      LongVector v = LongVector.fromMemorySegment(LONGS, b, y + i, LE);
      u.max(v).intoMemorySegment(dst, d + i, LE);
    }
  }

  private static void int64Min(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += STEP) {
      LongVector u = LongVector.fromMemorySegment(LONGS, a, x + i, LE);
      LongVector v = LongVector.fromMemorySegment(LONGS, b, y + i, LE);
      u.min(v).intoMemorySegment(dst, d + i, LE);
    }
  }

  private static void uint64Max(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += STEP) {
      LongVector u = LongVector.fromMemorySegment(LONGS, a, x + i, LE);
      LongVector v = LongVector.fromMemorySegment(LONGS, b, y + i, LE);
      u.lanewise(VectorOperators.UMAX, v).intoMemorySegment(dst, d + i, LE);
    }
  }

  private static void uint64Min(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += STEP) {
      LongVector u = LongVector.fromMemorySegment(LONGS, a, x + i, LE);
      LongVector v = LongVector.fromMemorySegment(LONGS, b, y + i, LE);
      u.lanewise(VectorOperators.UMIN, v).intoMemorySegment(dst, d + i, LE);
    }
  }

  private static void float32Sum(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += STEP) {
      FloatVector u = FloatVector.fromMemorySegment(FLOATS, a, x + i, LE);
      FloatVector v = FloatVector.fromMemorySegment(FLOATS, b, y + i, LE);
      canonical(u.add(v)).intoMemorySegment(dst, d + i, LE);
    }
  }

  private static void float32Max(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += STEP) {
      FloatVector u = FloatVector.fromMemorySegment(FLOATS, a, x + i, LE);
      FloatVector v = FloatVector.fromMemorySegment(FLOATS, b, y + i, LE);
      canonical(u.max(v)).intoMemorySegment(dst, d + i, LE);
    }
  }

  private static void float32Min(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += STEP) {
      FloatVector u = FloatVector.fromMemorySegment(FLOATS, a, x + i, LE);
      FloatVector v = FloatVector.fromMemorySegment(FLOATS, b, y + i, LE);
      canonical(u.min(v)).intoMemorySegment(dst, d + i, LE);
    }
  }

  private static void float64Sum(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += STEP) {
      DoubleVector u = DoubleVector.fromMemorySegment(DOUBLES, a, x + i, LE);
      DoubleVector v = DoubleVector.fromMemorySegment(DOUBLES, b, y + i, LE);
      canonical(u.add(v)).intoMemorySegment(dst, d + i, LE);
    }
  }

  private static void float64Max(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += STEP) {
      DoubleVector u = DoubleVector.fromMemorySegment(DOUBLES, a, x + i, LE);
      DoubleVector v = DoubleVector.fromMemorySegment(DOUBLES, b, y + i, LE);
      canonical(u.max(v)).intoMemorySegment(dst, d + i, LE);
    }
  }

  private static void float64Min(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += STEP) {
      DoubleVector u = DoubleVector.fromMemorySegment(DOUBLES, a, x + i, LE);
      DoubleVector v = DoubleVector.fromMemorySegment(DOUBLES, b, y + i, LE);
      canonical(u.min(v)).intoMemorySegment(dst, d + i, LE);
    }
  }

  private static void bfloat16Sum(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += HALF_STEP) {
      ShortVector u = ShortVector.fromMemorySegment(HALF_SHORTS, a, x + i, LE);
      ShortVector v = ShortVector.fromMemorySegment(HALF_SHORTS, b, y + i, LE);
      narrow(widen(u).add(widen(v))).intoMemorySegment(dst, d + i, LE);
    }
  }

  private static void bfloat16Max(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += HALF_STEP) {
      ShortVector u = ShortVector.fromMemorySegment(HALF_SHORTS, a, x + i, LE);
      ShortVector v = ShortVector.fromMemorySegment(HALF_SHORTS, b, y + i, LE);
      narrow(widen(u).max(widen(v))).intoMemorySegment(dst, d + i, LE);
    }
  }

  private static void bfloat16Min(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += HALF_STEP) {
      ShortVector u = ShortVector.fromMemorySegment(HALF_SHORTS, a, x + i, LE);
      ShortVector v = ShortVector.fromMemorySegment(HALF_SHORTS, b, y + i, LE);
      narrow(widen(u).min(widen(v))).intoMemorySegment(dst, d + i, LE);
    }
  }

  private static void int8Product(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += STEP) {
      ByteVector u = ByteVector.fromMemorySegment(BYTES, a, x + i, LE);
      ByteVector v = ByteVector.fromMemorySegment(BYTES, b, y + i, LE);
      u.mul(v).intoMemorySegment(dst, d + i, LE);
    }
  }

  private static void int16Product(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += STEP) {
      ShortVector u = ShortVector.fromMemorySegment(SHORTS, a, x + i, LE);
      ShortVector v = ShortVector.fromMemorySegment(SHORTS, b, y + i, LE);
      u.mul(v).intoMemorySegment(dst, d + i, LE);
    }
  }

  private static void int32Product(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += STEP) {
      IntVector u = IntVector.fromMemorySegment(INTS, a, x + i, LE);
      IntVector v = IntVector.fromMemorySegment(INTS, b, y + i, LE);
      u.mul(v).intoMemorySegment(dst, d + i, LE);
    }
  }

  private static void int64Product(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += STEP) {
      LongVector u = LongVector.fromMemorySegment(LONGS, a, x + i, LE);
      LongVector v = LongVector.fromMemorySegment(LONGS, b, y + i, LE);
      u.mul(v).intoMemorySegment(dst, d + i, LE);
    }
  }

  private static void float32Product(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += STEP) {
      FloatVector u = FloatVector.fromMemorySegment(FLOATS, a, x + i, LE);
      FloatVector v = FloatVector.fromMemorySegment(FLOATS, b, y + i, LE);
      canonical(u.mul(v)).intoMemorySegment(dst, d + i, LE);
    }
  }

  private static void float64Product(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += STEP) {
      DoubleVector u = DoubleVector.fromMemorySegment(DOUBLES, a, x + i, LE);
      DoubleVector v = DoubleVector.fromMemorySegment(DOUBLES, b, y + i, LE);
      canonical(u.mul(v)).intoMemorySegment(dst, d + i, LE);
    }
  }

  private static void bfloat16Product(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += HALF_STEP) {
      ShortVector u = ShortVector.fromMemorySegment(HALF_SHORTS, a, x + i, LE);
      ShortVector v = ShortVector.fromMemorySegment(HALF_SHORTS, b, y + i, LE);
      narrow(widen(u).mul(widen(v))).intoMemorySegment(dst, d + i, LE);
    }
  }

  /** JACCL's comparison, where the type has it in vectors; else null. */
  private static Loop compared(ReduceOp op, Dtype dtype) {
    boolean max = op == ReduceOp.MAX;
    return switch (dtype) {
      case FLOAT32 -> max ? VectorKernels::float32Greater : VectorKernels::float32Less;
      case FLOAT64 -> max ? VectorKernels::float64Greater : VectorKernels::float64Less;
      case BFLOAT16 -> max ? VectorKernels::bfloat16Greater : VectorKernels::bfloat16Less;
      default -> null;
    };
  }

  private static void float32Greater(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += STEP) {
      FloatVector u = FloatVector.fromMemorySegment(FLOATS, a, x + i, LE);
      FloatVector v = FloatVector.fromMemorySegment(FLOATS, b, y + i, LE);
      v.blend(u, u.compare(VectorOperators.GT, v)).intoMemorySegment(dst, d + i, LE);
    }
  }

  private static void float32Less(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += STEP) {
      FloatVector u = FloatVector.fromMemorySegment(FLOATS, a, x + i, LE);
      FloatVector v = FloatVector.fromMemorySegment(FLOATS, b, y + i, LE);
      v.blend(u, u.compare(VectorOperators.LT, v)).intoMemorySegment(dst, d + i, LE);
    }
  }

  private static void float64Greater(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += STEP) {
      DoubleVector u = DoubleVector.fromMemorySegment(DOUBLES, a, x + i, LE);
      DoubleVector v = DoubleVector.fromMemorySegment(DOUBLES, b, y + i, LE);
      v.blend(u, u.compare(VectorOperators.GT, v)).intoMemorySegment(dst, d + i, LE);
    }
  }

  private static void float64Less(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += STEP) {
      DoubleVector u = DoubleVector.fromMemorySegment(DOUBLES, a, x + i, LE);
      DoubleVector v = DoubleVector.fromMemorySegment(DOUBLES, b, y + i, LE);
      v.blend(u, u.compare(VectorOperators.LT, v)).intoMemorySegment(dst, d + i, LE);
    }
  }

  private static void bfloat16Greater(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += HALF_STEP) {
      ShortVector u = ShortVector.fromMemorySegment(HALF_SHORTS, a, x + i, LE);
      ShortVector v = ShortVector.fromMemorySegment(HALF_SHORTS, b, y + i, LE);
      v.blend(u, widen(u).compare(VectorOperators.GT, widen(v)).cast(HALF_SHORTS))
          .intoMemorySegment(dst, d + i, LE);
    }
  }

  private static void bfloat16Less(
      MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes) {
    for (long i = 0; i < bytes; i += HALF_STEP) {
      ShortVector u = ShortVector.fromMemorySegment(HALF_SHORTS, a, x + i, LE);
      ShortVector v = ShortVector.fromMemorySegment(HALF_SHORTS, b, y + i, LE);
      v.blend(u, widen(u).compare(VectorOperators.LT, widen(v)).cast(HALF_SHORTS))
          .intoMemorySegment(dst, d + i, LE);
    }
  }

  private static boolean containsFloat16Nan(short[] values, int n) {
    int whole = SHORTS.loopBound(n);
    ShortVector largest = ShortVector.zero(SHORTS);
    for (int i = 0; i < whole; i += SHORTS.length()) {
      ShortVector bits = ShortVector.fromArray(SHORTS, values, i);
      largest = largest.max(bits.and(Float16Kernel.MAGNITUDE));
    }
    boolean found = largest.compare(VectorOperators.GT, Float16Kernel.INFINITY).anyTrue();
    for (int i = whole; i < n; i++) {
      found |= (values[i] & Float16Kernel.MAGNITUDE) > Float16Kernel.INFINITY;
    }
    return found;
  }

  private static FloatVector canonical(FloatVector value) {
    return value.blend(Float.NaN, value.compare(VectorOperators.NE, value));
  }

  private static DoubleVector canonical(DoubleVector value) {
    return value.blend(Double.NaN, value.compare(VectorOperators.NE, value));
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
