package io.jaccl4j.reduce.vector;

import java.lang.foreign.MemorySegment;

/**
 * A reduction of whole vectors.
 *
 * <p>Each loop of this package is written out: C2 turns a lane-wise operation into an instruction
 * only where the operator is a constant of the compiled method, and a shared loop is not reliably
 * inlined.
 */
@FunctionalInterface
interface VectorLoop {

  /**
   * {@code dst = op(a, b)}, with offsets in bytes.
   *
   * @param bytes a multiple of {@link Lanes#STEP}, more than 0
   */
  void run(MemorySegment dst, long d, MemorySegment a, long x, MemorySegment b, long y, long bytes);
}
