package io.jaccl4j.reduce.vector;

import io.jaccl4j.Dtype;
import io.jaccl4j.ReduceOp;
import io.jaccl4j.reduce.ElementRules;
import io.jaccl4j.testing.SpecialElements;

/** Compares every kernel with the reference in a JVM whose flags give it narrower vectors. */
final class NarrowVectorsStart {
  static final String ALL_EQUAL = "all kernels equal the reference: ";

  private NarrowVectorsStart() {}

  public static void main(String[] arguments) {
    for (Dtype dtype : Dtype.values()) {
      long[] specials = SpecialElements.of(dtype);
      for (ReduceOp op : ReduceOp.values()) {
        for (ElementRules rules : ElementRules.values()) {
          ReferenceComparison.differenceOfSpecials(op, dtype, rules, specials)
              .ifPresent(
                  difference -> {
                    throw new IllegalStateException(difference);
                  });
        }
      }
    }
    System.out.println(ALL_EQUAL + new VectorKernels().name());
  }
}
