package io.jaccl4j.reduce;

import static io.jaccl4j.reduce.HalfFloats.bfloat16ToFloat;
import static io.jaccl4j.reduce.HalfFloats.floatToBfloat16;
import static io.jaccl4j.reduce.HalfFloats.floatToFloat16;
import static java.lang.Float.float16ToFloat;

import io.jaccl4j.Dtype;
import io.jaccl4j.ReduceOp;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The reference: one element at a time, written for reading. Other kernels are compared with it bit
 * by bit.
 */
public final class ScalarKernels implements KernelProvider {
  private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  @Override
  public String name() {
    return "scalar";
  }

  @Override
  public ReduceKernel kernel(ReduceOp op, Dtype dtype, ElementRules rules) {
    boolean compares = ElementRules.comparesAsJaccl(op, rules);
    return switch (dtype) {
      case BOOL -> bytes(bool(op));
      case INT8 -> bytes(int8(op));
      case UINT8 -> bytes(uint8(op));
      case INT16 -> shorts(int16(op));
      case UINT16 -> shorts(uint16(op));
      case INT32 -> ints(int32(op));
      case UINT32 -> ints(uint32(op));
      case INT64 -> longs(int64(op));
      case UINT64 -> longs(uint64(op));
      case FLOAT16 -> shorts(compares ? float16Compared(op) : float16(op));
      case BFLOAT16 -> shorts(compares ? bfloat16Compared(op) : bfloat16(op));
      case FLOAT32 -> ints(compares ? float32Compared(op) : float32(op));
      case FLOAT64 -> longs(compares ? float64Compared(op) : float64(op));
      case COMPLEX64 -> longs(compares ? complex64Compared(op) : complex64(op));
    };
  }

  @Override
  public DivisionKernel division(Dtype dtype) {
    return ScalarDivision.of(dtype);
  }

  @FunctionalInterface
  private interface ByteOp {
    byte apply(byte a, byte b);
  }

  @FunctionalInterface
  private interface ShortOp {
    short apply(short a, short b);
  }

  @FunctionalInterface
  private interface IntOp {
    int apply(int a, int b);
  }

  @FunctionalInterface
  private interface LongOp {
    long apply(long a, long b);
  }

  private static ByteOp bool(ReduceOp op) {
    return switch (op) {
      case SUM, MAX -> (a, b) -> (byte) (a | b);
      case MIN, PRODUCT -> (a, b) -> (byte) (a & b);
    };
  }

  private static ByteOp int8(ReduceOp op) {
    return switch (op) {
      case SUM -> (a, b) -> (byte) (a + b);
      case MAX -> (a, b) -> (byte) Math.max(a, b);
      case MIN -> (a, b) -> (byte) Math.min(a, b);
      case PRODUCT -> (a, b) -> (byte) (a * b);
    };
  }

  private static ByteOp uint8(ReduceOp op) {
    return switch (op) {
      case SUM -> (a, b) -> (byte) (a + b);
      case MAX -> (a, b) -> (byte) Math.max(a & 0xFF, b & 0xFF);
      case MIN -> (a, b) -> (byte) Math.min(a & 0xFF, b & 0xFF);
      case PRODUCT -> (a, b) -> (byte) (a * b);
    };
  }

  private static ShortOp int16(ReduceOp op) {
    return switch (op) {
      case SUM -> (a, b) -> (short) (a + b);
      case MAX -> (a, b) -> (short) Math.max(a, b);
      case MIN -> (a, b) -> (short) Math.min(a, b);
      case PRODUCT -> (a, b) -> (short) (a * b);
    };
  }

  private static ShortOp uint16(ReduceOp op) {
    return switch (op) {
      case SUM -> (a, b) -> (short) (a + b);
      case MAX -> (a, b) -> (short) Math.max(a & 0xFFFF, b & 0xFFFF);
      case MIN -> (a, b) -> (short) Math.min(a & 0xFFFF, b & 0xFFFF);
      case PRODUCT -> (a, b) -> (short) (a * b);
    };
  }

  private static IntOp int32(ReduceOp op) {
    return switch (op) {
      case SUM -> (a, b) -> a + b;
      case MAX -> Math::max;
      case MIN -> Math::min;
      case PRODUCT -> (a, b) -> a * b;
    };
  }

  private static IntOp uint32(ReduceOp op) {
    return switch (op) {
      case SUM -> (a, b) -> a + b;
      case MAX -> (a, b) -> Integer.compareUnsigned(a, b) > 0 ? a : b;
      case MIN -> (a, b) -> Integer.compareUnsigned(a, b) < 0 ? a : b;
      case PRODUCT -> (a, b) -> a * b;
    };
  }

  private static LongOp int64(ReduceOp op) {
    return switch (op) {
      case SUM -> (a, b) -> a + b;
      case MAX -> Math::max;
      case MIN -> Math::min;
      case PRODUCT -> (a, b) -> a * b;
    };
  }

  private static LongOp uint64(ReduceOp op) {
    return switch (op) {
      case SUM -> (a, b) -> a + b;
      case MAX -> (a, b) -> Long.compareUnsigned(a, b) > 0 ? a : b;
      case MIN -> (a, b) -> Long.compareUnsigned(a, b) < 0 ? a : b;
      case PRODUCT -> (a, b) -> a * b;
    };
  }

  private static ShortOp float16(ReduceOp op) {
    return switch (op) {
      case SUM -> (a, b) -> floatToFloat16(float16ToFloat(a) + float16ToFloat(b));
      case MAX -> (a, b) -> floatToFloat16(Math.max(float16ToFloat(a), float16ToFloat(b)));
      case MIN -> (a, b) -> floatToFloat16(Math.min(float16ToFloat(a), float16ToFloat(b)));
      case PRODUCT -> (a, b) -> floatToFloat16(float16ToFloat(a) * float16ToFloat(b));
    };
  }

  private static ShortOp bfloat16(ReduceOp op) {
    return switch (op) {
      case SUM -> (a, b) -> floatToBfloat16(bfloat16ToFloat(a) + bfloat16ToFloat(b));
      case MAX -> (a, b) -> floatToBfloat16(Math.max(bfloat16ToFloat(a), bfloat16ToFloat(b)));
      case MIN -> (a, b) -> floatToBfloat16(Math.min(bfloat16ToFloat(a), bfloat16ToFloat(b)));
      case PRODUCT -> (a, b) -> floatToBfloat16(bfloat16ToFloat(a) * bfloat16ToFloat(b));
    };
  }

  // floatToIntBits and doubleToLongBits, not the raw forms: they make every NaN the canonical one.
  private static IntOp float32(ReduceOp op) {
    return switch (op) {
      case SUM -> (a, b) -> Float.floatToIntBits(Float.intBitsToFloat(a) + Float.intBitsToFloat(b));
      case MAX ->
          (a, b) ->
              Float.floatToIntBits(Math.max(Float.intBitsToFloat(a), Float.intBitsToFloat(b)));
      case MIN ->
          (a, b) ->
              Float.floatToIntBits(Math.min(Float.intBitsToFloat(a), Float.intBitsToFloat(b)));
      case PRODUCT ->
          (a, b) -> Float.floatToIntBits(Float.intBitsToFloat(a) * Float.intBitsToFloat(b));
    };
  }

  private static LongOp float64(ReduceOp op) {
    return switch (op) {
      case SUM ->
          (a, b) ->
              Double.doubleToLongBits(Double.longBitsToDouble(a) + Double.longBitsToDouble(b));
      case MAX ->
          (a, b) ->
              Double.doubleToLongBits(
                  Math.max(Double.longBitsToDouble(a), Double.longBitsToDouble(b)));
      case MIN ->
          (a, b) ->
              Double.doubleToLongBits(
                  Math.min(Double.longBitsToDouble(a), Double.longBitsToDouble(b)));
      case PRODUCT ->
          (a, b) ->
              Double.doubleToLongBits(Double.longBitsToDouble(a) * Double.longBitsToDouble(b));
    };
  }

  private static LongOp complex64(ReduceOp op) {
    IntOp add = float32(ReduceOp.SUM);
    return switch (op) {
      case SUM -> (a, b) -> complex(add.apply(real(a), real(b)), add.apply(imag(a), imag(b)));
      case MAX -> (a, b) -> isNan(a) || isNan(b) ? COMPLEX_NAN : compare(a, b) > 0 ? a : b;
      case MIN -> (a, b) -> isNan(a) || isNan(b) ? COMPLEX_NAN : compare(a, b) < 0 ? a : b;
      case PRODUCT -> ScalarKernels::complexProduct;
    };
  }

  private static ShortOp float16Compared(ReduceOp op) {
    return op == ReduceOp.MAX
        ? (a, b) -> float16ToFloat(a) > float16ToFloat(b) ? a : b
        : (a, b) -> float16ToFloat(a) < float16ToFloat(b) ? a : b;
  }

  private static ShortOp bfloat16Compared(ReduceOp op) {
    return op == ReduceOp.MAX
        ? (a, b) -> bfloat16ToFloat(a) > bfloat16ToFloat(b) ? a : b
        : (a, b) -> bfloat16ToFloat(a) < bfloat16ToFloat(b) ? a : b;
  }

  private static IntOp float32Compared(ReduceOp op) {
    return op == ReduceOp.MAX
        ? (a, b) -> Float.intBitsToFloat(a) > Float.intBitsToFloat(b) ? a : b
        : (a, b) -> Float.intBitsToFloat(a) < Float.intBitsToFloat(b) ? a : b;
  }

  private static LongOp float64Compared(ReduceOp op) {
    return op == ReduceOp.MAX
        ? (a, b) -> Double.longBitsToDouble(a) > Double.longBitsToDouble(b) ? a : b
        : (a, b) -> Double.longBitsToDouble(a) < Double.longBitsToDouble(b) ? a : b;
  }

  private static LongOp complex64Compared(ReduceOp op) {
    return op == ReduceOp.MAX ? (a, b) -> precedes(b, a) ? a : b : (a, b) -> precedes(a, b) ? a : b;
  }

  /** Lexicographic {@code a < b} with IEEE comparisons: false where a NaN decides. */
  private static boolean precedes(long a, long b) {
    float realA = Float.intBitsToFloat(real(a));
    float realB = Float.intBitsToFloat(real(b));
    return realA < realB
        || (realA == realB && Float.intBitsToFloat(imag(a)) < Float.intBitsToFloat(imag(b)));
  }

  private static final long COMPLEX_NAN =
      complex(Float.floatToIntBits(Float.NaN), Float.floatToIntBits(Float.NaN));

  private static long complexProduct(long a, long b) {
    float realA = Float.intBitsToFloat(real(a));
    float imagA = Float.intBitsToFloat(imag(a));
    float realB = Float.intBitsToFloat(real(b));
    float imagB = Float.intBitsToFloat(imag(b));
    return complex(
        Float.floatToIntBits(realA * realB - imagA * imagB),
        Float.floatToIntBits(realA * imagB + imagA * realB));
  }

  private static int real(long complex) {
    return (int) complex;
  }

  private static int imag(long complex) {
    return (int) (complex >>> 32);
  }

  private static long complex(int realBits, int imagBits) {
    return (realBits & 0xFFFF_FFFFL) | ((long) imagBits << 32);
  }

  private static boolean isNan(long complex) {
    return Float.isNaN(Float.intBitsToFloat(real(complex)))
        || Float.isNaN(Float.intBitsToFloat(imag(complex)));
  }

  private static int compare(long a, long b) {
    int byReal = Float.compare(Float.intBitsToFloat(real(a)), Float.intBitsToFloat(real(b)));
    return byReal != 0
        ? byReal
        : Float.compare(Float.intBitsToFloat(imag(a)), Float.intBitsToFloat(imag(b)));
  }

  private static ReduceKernel bytes(ByteOp op) {
    return (MemorySegment dst,
        long d,
        MemorySegment a,
        long x,
        MemorySegment b,
        long y,
        long n) -> {
      for (long i = 0; i < n; i++) {
        dst.set(BYTE, d + i, op.apply(a.get(BYTE, x + i), b.get(BYTE, y + i)));
      }
    };
  }

  private static ReduceKernel shorts(ShortOp op) {
    return (MemorySegment dst,
        long d,
        MemorySegment a,
        long x,
        MemorySegment b,
        long y,
        long n) -> {
      for (long i = 0; i < 2 * n; i += 2) {
        dst.set(SHORT, d + i, op.apply(a.get(SHORT, x + i), b.get(SHORT, y + i)));
      }
    };
  }

  private static ReduceKernel ints(IntOp op) {
    return (MemorySegment dst,
        long d,
        MemorySegment a,
        long x,
        MemorySegment b,
        long y,
        long n) -> {
      for (long i = 0; i < 4 * n; i += 4) {
        dst.set(INT, d + i, op.apply(a.get(INT, x + i), b.get(INT, y + i)));
      }
    };
  }

  private static ReduceKernel longs(LongOp op) {
    return (MemorySegment dst,
        long d,
        MemorySegment a,
        long x,
        MemorySegment b,
        long y,
        long n) -> {
      for (long i = 0; i < 8 * n; i += 8) {
        dst.set(LONG, d + i, op.apply(a.get(LONG, x + i), b.get(LONG, y + i)));
      }
    };
  }
}
