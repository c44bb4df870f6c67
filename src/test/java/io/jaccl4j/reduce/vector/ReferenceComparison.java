package io.jaccl4j.reduce.vector;

import io.jaccl4j.Dtype;
import io.jaccl4j.ReduceOp;
import io.jaccl4j.reduce.ElementRules;
import io.jaccl4j.reduce.ScalarKernels;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** Compares a vector kernel with the scalar reference, bit by bit. */
final class ReferenceComparison {
  private ReferenceComparison() {}

  /** The first pair of elements, as bits, of which the two differ. */
  static Optional<String> difference(
      ReduceOp op, Dtype dtype, ElementRules rules, long[] first, long[] second) {
    int count = first.length;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment a = ElementBits.segment(arena, dtype, first);
      MemorySegment b = ElementBits.segment(arena, dtype, second);
      MemorySegment want = arena.allocate(a.byteSize(), 64);
      MemorySegment got = arena.allocate(a.byteSize(), 64);
      new ScalarKernels().kernel(op, dtype, rules).reduce(want, 0, a, 0, b, 0, count);
      new VectorKernels().kernel(op, dtype, rules).reduce(got, 0, a, 0, b, 0, count);
      long mismatch = got.mismatch(want);
      if (mismatch == -1) {
        return Optional.empty();
      }
      int at = (int) mismatch / dtype.bytes();
      return Optional.of(
          "%s %s %s of %x and %x".formatted(op, dtype, rules, first[at], second[at]));
    }
  }

  /** The same for every pair of the type's special elements. */
  static Optional<String> differenceOfSpecials(
      ReduceOp op, Dtype dtype, ElementRules rules, long[] specials) {
    int n = specials.length;
    long[] first = new long[n * n];
    long[] second = new long[n * n];
    for (int i = 0; i < n * n; i++) {
      first[i] = specials[i / n];
      second[i] = specials[i % n];
    }
    return difference(op, dtype, rules, first, second);
  }
}
