package io.jaccl4j.benchmark;

import io.jaccl4j.Dtype;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;

/**
 * Buffers, and random operands that are ordinary numbers: no NaN, no infinity, nothing denormal.
 */
final class Operands {
  private static final long ALIGNMENT = 64;

  /** So many bytes behind each buffer, so that they do not share the sets of the cache. */
  private static final long STAGGER = 4096 + 256;

  private Operands() {}

  static MemorySegment allocate(Arena arena, long bytes) {
    return arena.allocate(bytes + STAGGER, ALIGNMENT).asSlice(0, bytes);
  }

  static void fill(MemorySegment segment, Dtype dtype, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long count = segment.byteSize() / dtype.bytes();
    for (long i = 0; i < count; i++) {
      switch (dtype) {
        case BOOL -> segment.set(ValueLayout.JAVA_BYTE, i, (byte) random.nextInt(2));
        case INT8, UINT8 -> segment.set(ValueLayout.JAVA_BYTE, i, (byte) random.nextInt());
        case INT16, UINT16 ->
            segment.setAtIndex(ValueLayout.JAVA_SHORT, i, (short) random.nextInt());
        case INT32, UINT32 -> segment.setAtIndex(ValueLayout.JAVA_INT, i, random.nextInt());
        case INT64, UINT64 -> segment.setAtIndex(ValueLayout.JAVA_LONG, i, random.nextLong());
        case FLOAT16 ->
            segment.setAtIndex(ValueLayout.JAVA_SHORT, i, Float.floatToFloat16(number(random)));
        case BFLOAT16 ->
            segment.setAtIndex(
                ValueLayout.JAVA_SHORT, i, (short) (Float.floatToIntBits(number(random)) >>> 16));
        case FLOAT32 -> segment.setAtIndex(ValueLayout.JAVA_FLOAT, i, number(random));
        case FLOAT64 -> segment.setAtIndex(ValueLayout.JAVA_DOUBLE, i, number(random));
        case COMPLEX64 -> {
          segment.setAtIndex(ValueLayout.JAVA_FLOAT, 2 * i, number(random));
          segment.setAtIndex(ValueLayout.JAVA_FLOAT, 2 * i + 1, number(random));
        }
      }
    }
  }

  private static float number(SplittableRandom random) {
    return (float) random.nextDouble(-100, 100);
  }
}
