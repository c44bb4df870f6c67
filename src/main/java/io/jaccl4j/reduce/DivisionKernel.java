package io.jaccl4j.reduce;

import java.lang.foreign.MemorySegment;

/**
 * A division by a small positive number, which turns a sum into a mean: floats rounded to nearest
 * even, integers towards zero. A NaN becomes the type's canonical one.
 */
@FunctionalInterface
public interface DivisionKernel {

  /**
   * Divides in place.
   *
   * @param offset of the first element, in bytes; needs no alignment
   * @param elements number of elements, 0 or more
   * @param divisor 1 or more
   */
  void divide(MemorySegment data, long offset, long elements, int divisor);
}
