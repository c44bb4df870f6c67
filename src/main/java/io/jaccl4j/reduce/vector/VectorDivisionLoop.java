package io.jaccl4j.reduce.vector;

import java.lang.foreign.MemorySegment;

/** A division of whole vectors in place. */
@FunctionalInterface
interface VectorDivisionLoop {

  /**
   * Divides {@code bytes} bytes from {@code offset} on.
   *
   * @param bytes a multiple of {@link Lanes#STEP}, more than 0
   */
  void run(MemorySegment data, long offset, long bytes, int divisor);
}
