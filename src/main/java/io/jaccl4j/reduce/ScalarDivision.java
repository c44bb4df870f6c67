package io.jaccl4j.reduce;

import static io.jaccl4j.reduce.HalfFloats.bfloat16ToFloat;
import static io.jaccl4j.reduce.HalfFloats.floatToBfloat16;
import static io.jaccl4j.reduce.HalfFloats.floatToFloat16;

import io.jaccl4j.Dtype;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** The reference of divisions: one element at a time. */
final class ScalarDivision {
  private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private ScalarDivision() {}

  static DivisionKernel of(Dtype dtype) {
    return switch (dtype) {
      case BOOL -> ScalarDivision::refuse;
      case INT8 -> ScalarDivision::int8;
      case UINT8 -> ScalarDivision::uint8;
      case INT16 -> ScalarDivision::int16;
      case UINT16 -> ScalarDivision::uint16;
      case INT32 -> ScalarDivision::int32;
      case UINT32 -> ScalarDivision::uint32;
      case INT64 -> ScalarDivision::int64;
      case UINT64 -> ScalarDivision::uint64;
      case FLOAT16 -> ScalarDivision::float16;
      case BFLOAT16 -> ScalarDivision::bfloat16;
      case FLOAT32 -> ScalarDivision::float32;
      case FLOAT64 -> ScalarDivision::float64;
      case COMPLEX64 -> (data, offset, n, divisor) -> float32(data, offset, 2 * n, divisor);
    };
  }

  private static void refuse(MemorySegment data, long offset, long n, int divisor) {
    throw new IllegalArgumentException("booleans have no mean");
  }

  private static void int8(MemorySegment data, long offset, long n, int divisor) {
    for (long i = offset; i < offset + n; i++) {
      data.set(BYTE, i, (byte) (data.get(BYTE, i) / divisor));
    }
  }

  private static void uint8(MemorySegment data, long offset, long n, int divisor) {
    for (long i = offset; i < offset + n; i++) {
      data.set(BYTE, i, (byte) ((data.get(BYTE, i) & 0xFF) / divisor));
    }
  }

  private static void int16(MemorySegment data, long offset, long n, int divisor) {
    for (long i = offset; i < offset + 2 * n; i += 2) {
      data.set(SHORT, i, (short) (data.get(SHORT, i) / divisor));
    }
  }

  private static void uint16(MemorySegment data, long offset, long n, int divisor) {
    for (long i = offset; i < offset + 2 * n; i += 2) {
      data.set(SHORT, i, (short) ((data.get(SHORT, i) & 0xFFFF) / divisor));
    }
  }

  private static void int32(MemorySegment data, long offset, long n, int divisor) {
    for (long i = offset; i < offset + 4 * n; i += 4) {
      data.set(INT, i, data.get(INT, i) / divisor);
    }
  }

  private static void uint32(MemorySegment data, long offset, long n, int divisor) {
    for (long i = offset; i < offset + 4 * n; i += 4) {
      data.set(INT, i, Integer.divideUnsigned(data.get(INT, i), divisor));
    }
  }

  private static void int64(MemorySegment data, long offset, long n, int divisor) {
    for (long i = offset; i < offset + 8 * n; i += 8) {
      data.set(LONG, i, data.get(LONG, i) / divisor);
    }
  }

  private static void uint64(MemorySegment data, long offset, long n, int divisor) {
    for (long i = offset; i < offset + 8 * n; i += 8) {
      data.set(LONG, i, Long.divideUnsigned(data.get(LONG, i), divisor));
    }
  }

  private static void float16(MemorySegment data, long offset, long n, int divisor) {
    for (long i = offset; i < offset + 2 * n; i += 2) {
      data.set(SHORT, i, floatToFloat16(Float.float16ToFloat(data.get(SHORT, i)) / divisor));
    }
  }

  private static void bfloat16(MemorySegment data, long offset, long n, int divisor) {
    for (long i = offset; i < offset + 2 * n; i += 2) {
      data.set(SHORT, i, floatToBfloat16(bfloat16ToFloat(data.get(SHORT, i)) / divisor));
    }
  }

  // Through bits: floatToIntBits and doubleToLongBits make every NaN the canonical one.
  private static void float32(MemorySegment data, long offset, long n, int divisor) {
    for (long i = offset; i < offset + 4 * n; i += 4) {
      data.set(INT, i, Float.floatToIntBits(Float.intBitsToFloat(data.get(INT, i)) / divisor));
    }
  }

  private static void float64(MemorySegment data, long offset, long n, int divisor) {
    for (long i = offset; i < offset + 8 * n; i += 8) {
      data.set(
          LONG, i, Double.doubleToLongBits(Double.longBitsToDouble(data.get(LONG, i)) / divisor));
    }
  }
}
