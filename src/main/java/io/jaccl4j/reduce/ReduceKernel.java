package io.jaccl4j.reduce;

import java.lang.foreign.MemorySegment;

/** One reduction of one element type. */
@FunctionalInterface
public interface ReduceKernel {

  /**
   * {@code dst[i] = op(a[i], b[i])} for all elements.
   *
   * <p>Offsets are in bytes and need no alignment. {@code dst} may be exactly {@code a} or exactly
   * {@code b}; any other overlap gives undefined values.
   *
   * @param elements number of elements, 0 or more
   */
  void reduce(
      MemorySegment dst,
      long dstOffset,
      MemorySegment a,
      long aOffset,
      MemorySegment b,
      long bOffset,
      long elements);
}
