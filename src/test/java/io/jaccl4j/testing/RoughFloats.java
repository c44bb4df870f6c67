package io.jaccl4j.testing;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Values whose sums depend on the order of addition: any other order shows in the bits. */
public final class RoughFloats {
  private static final float SCALE = 1 << 20;

  private RoughFloats() {}

  /** Element {@code i} of a rank. */
  public static float at(long i, int rank) {
    int h = (int) (2654435761L * i + 40503L * rank + 12345);
    h ^= h >>> 16;
    h *= 0x85ebca6b;
    h ^= h >>> 13;
    h *= 0xc2b2ae35;
    h ^= h >>> 16;
    return (float) h / SCALE;
  }

  /** Fills a buffer with the elements of a rank. */
  public static MemorySegment fill(MemorySegment buffer, int rank) {
    for (long i = 0; i < buffer.byteSize() / Float.BYTES; i++) {
      buffer.setAtIndex(ValueLayout.JAVA_FLOAT, i, at(i, rank));
    }
    return buffer;
  }

  /** Fills a buffer with the sums over so many ranks, added in rank order. */
  public static MemorySegment fillSums(MemorySegment buffer, int size) {
    for (long i = 0; i < buffer.byteSize() / Float.BYTES; i++) {
      float sum = at(i, 0);
      for (int rank = 1; rank < size; rank++) {
        sum += at(i, rank);
      }
      buffer.setAtIndex(ValueLayout.JAVA_FLOAT, i, sum);
    }
    return buffer;
  }
}
