package io.jaccl4j.reduce.vector;

import io.jaccl4j.reduce.DivisionKernel;
import io.jaccl4j.reduce.ReduceKernel;

/**
 * Whole vectors by a loop, the rest of a buffer by the scalar reference: nothing is read or written
 * beyond the last element.
 */
final class WholeVectors {
  private WholeVectors() {}

  static ReduceKernel reduction(VectorLoop loop, ReduceKernel rest, int elementBytes) {
    return (dst, d, a, x, b, y, elements) -> {
      long bytes = elements * elementBytes;
      long vectorBytes = bytes & -Lanes.STEP;
      if (vectorBytes > 0) {
        loop.run(dst, d, a, x, b, y, vectorBytes);
      }
      if (vectorBytes < bytes) {
        rest.reduce(
            dst,
            d + vectorBytes,
            a,
            x + vectorBytes,
            b,
            y + vectorBytes,
            (bytes - vectorBytes) / elementBytes);
      }
    };
  }

  static DivisionKernel division(VectorDivisionLoop loop, DivisionKernel rest, int elementBytes) {
    return (data, offset, elements, divisor) -> {
      long bytes = elements * elementBytes;
      long vectorBytes = bytes & -Lanes.STEP;
      if (vectorBytes > 0) {
        loop.run(data, offset, vectorBytes, divisor);
      }
      if (vectorBytes < bytes) {
        rest.divide(data, offset + vectorBytes, (bytes - vectorBytes) / elementBytes, divisor);
      }
    };
  }
}
