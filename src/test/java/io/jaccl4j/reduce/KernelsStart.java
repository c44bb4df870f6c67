package io.jaccl4j.reduce;

import io.jaccl4j.Dtype;
import io.jaccl4j.ReduceOp;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Reduces in a JVM of its own, and says by what. */
final class KernelsStart {
  static final String PROVIDER = "provider: ";
  static final String SUM = "sum: ";

  private KernelsStart() {}

  public static void main(String[] arguments) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment a = arena.allocateFrom(ValueLayout.JAVA_FLOAT, 1.5f);
      MemorySegment b = arena.allocateFrom(ValueLayout.JAVA_FLOAT, 2.25f);
      Kernels.of(ReduceOp.SUM, Dtype.FLOAT32, ElementRules.REPRODUCIBLE)
          .reduce(a, 0, a, 0, b, 0, 1);
      System.out.println(PROVIDER + Kernels.providerName());
      System.out.println(SUM + a.get(ValueLayout.JAVA_FLOAT, 0));
    }
  }
}
