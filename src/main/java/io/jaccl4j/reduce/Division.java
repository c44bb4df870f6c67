package io.jaccl4j.reduce;

import static io.jaccl4j.reduce.HalfFloats.bfloat16ToFloat;
import static io.jaccl4j.reduce.HalfFloats.floatToBfloat16;
import static io.jaccl4j.reduce.HalfFloats.floatToFloat16;

import io.jaccl4j.Dtype;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Divides every element by a small positive number, which turns a sum into a mean: floats rounded
 * to nearest even, integers towards zero.
 */
public final class Division {
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfFloat FLOAT =
      ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfDouble DOUBLE =
      ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private Division() {}

  /** Divides in place. Booleans have no mean and must not come here. */
  public static void divide(MemorySegment data, Dtype dtype, int divisor) {
    long bytes = data.byteSize();
    switch (dtype) {
      case BOOL -> throw new IllegalArgumentException("booleans have no mean");
      case INT8 -> {
        for (long i = 0; i < bytes; i++) {
          data.set(ValueLayout.JAVA_BYTE, i, (byte) (data.get(ValueLayout.JAVA_BYTE, i) / divisor));
        }
      }
      case UINT8 -> {
        for (long i = 0; i < bytes; i++) {
          data.set(
              ValueLayout.JAVA_BYTE,
              i,
              (byte) ((data.get(ValueLayout.JAVA_BYTE, i) & 0xFF) / divisor));
        }
      }
      case INT16 -> {
        for (long i = 0; i < bytes; i += 2) {
          data.set(SHORT, i, (short) (data.get(SHORT, i) / divisor));
        }
      }
      case UINT16 -> {
        for (long i = 0; i < bytes; i += 2) {
          data.set(SHORT, i, (short) ((data.get(SHORT, i) & 0xFFFF) / divisor));
        }
      }
      case INT32 -> {
        for (long i = 0; i < bytes; i += 4) {
          data.set(INT, i, data.get(INT, i) / divisor);
        }
      }
      case UINT32 -> {
        for (long i = 0; i < bytes; i += 4) {
          data.set(INT, i, Integer.divideUnsigned(data.get(INT, i), divisor));
        }
      }
      case INT64 -> {
        for (long i = 0; i < bytes; i += 8) {
          data.set(LONG, i, data.get(LONG, i) / divisor);
        }
      }
      case UINT64 -> {
        for (long i = 0; i < bytes; i += 8) {
          data.set(LONG, i, Long.divideUnsigned(data.get(LONG, i), divisor));
        }
      }
      case FLOAT16 -> {
        for (long i = 0; i < bytes; i += 2) {
          data.set(SHORT, i, floatToFloat16(Float.float16ToFloat(data.get(SHORT, i)) / divisor));
        }
      }
      case BFLOAT16 -> {
        for (long i = 0; i < bytes; i += 2) {
          data.set(SHORT, i, floatToBfloat16(bfloat16ToFloat(data.get(SHORT, i)) / divisor));
        }
      }
      case FLOAT32, COMPLEX64 -> {
        for (long i = 0; i < bytes; i += 4) {
          data.set(FLOAT, i, data.get(FLOAT, i) / divisor);
        }
      }
      case FLOAT64 -> {
        for (long i = 0; i < bytes; i += 8) {
          data.set(DOUBLE, i, data.get(DOUBLE, i) / divisor);
        }
      }
    }
  }
}
