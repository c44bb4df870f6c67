package io.jaccl4j.reduce.vector;

import io.jaccl4j.Dtype;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.PrimitiveIterator;
import java.util.function.LongSupplier;

/** Elements in memory, from their bits. */
final class ElementBits {
  private ElementBits() {}

  static MemorySegment segment(Arena arena, Dtype dtype, long[] bits) {
    PrimitiveIterator.OfLong next = Arrays.stream(bits).iterator();
    return segment(arena, dtype, bits.length, next::nextLong);
  }

  static MemorySegment segment(Arena arena, Dtype dtype, int count, LongSupplier bits) {
    MemorySegment segment = arena.allocate((long) count * dtype.bytes(), 64);
    for (int i = 0; i < count; i++) {
      set(segment, dtype, i, bits.getAsLong());
    }
    return segment;
  }

  private static void set(MemorySegment segment, Dtype dtype, int index, long bits) {
    switch (dtype.bytes()) {
      case 1 -> segment.set(ValueLayout.JAVA_BYTE, index, (byte) bits);
      case 2 -> segment.setAtIndex(ValueLayout.JAVA_SHORT, index, (short) bits);
      case 4 -> segment.setAtIndex(ValueLayout.JAVA_INT, index, (int) bits);
      default -> segment.setAtIndex(ValueLayout.JAVA_LONG, index, bits);
    }
  }
}
