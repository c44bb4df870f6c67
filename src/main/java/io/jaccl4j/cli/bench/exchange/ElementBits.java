package io.jaccl4j.cli.bench.exchange;

import io.jaccl4j.Dtype;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Whole numbers as elements of each type; as quarters in floating-point types. */
final class ElementBits {
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private ElementBits() {}

  /** The bits of an element, in the low bytes. */
  static long of(Dtype dtype, ElementValue value) {
    return switch (dtype) {
      case FLOAT16 -> Float.floatToFloat16(quarters(value.real()));
      // The upper half of a float32 with few significant bits is the value itself.
      case BFLOAT16 -> Float.floatToIntBits(quarters(value.real())) >>> 16;
      case FLOAT32 -> Float.floatToIntBits(quarters(value.real()));
      case FLOAT64 -> Double.doubleToLongBits(quarters(value.real()));
      case COMPLEX64 ->
          Float.floatToIntBits(quarters(value.real())) & 0xFFFF_FFFFL
              | (long) Float.floatToIntBits(quarters(value.imaginary())) << 32;
      default -> value.real();
    };
  }

  static void write(MemorySegment segment, Dtype dtype, long index, long bits) {
    switch (dtype.bytes()) {
      case 1 -> segment.set(ValueLayout.JAVA_BYTE, index, (byte) bits);
      case 2 -> segment.set(SHORT, 2 * index, (short) bits);
      case 4 -> segment.set(INT, 4 * index, (int) bits);
      default -> segment.set(LONG, 8 * index, bits);
    }
  }

  private static float quarters(long value) {
    return value / 4f;
  }
}
