package io.jaccl4j.reduce;

import static org.assertj.core.api.Assertions.assertThat;

import io.jaccl4j.Dtype;
import io.jaccl4j.ReduceOp;
import io.jaccl4j.testing.SpecialElements;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The reference against exact arithmetic, for finite elements. */
class ScalarArithmeticTest {
  private static final long SEED = 20260903;
  private static final int RANDOM_PAIRS = 300;
  private static final int SPECIALS = 40;

  static Stream<Arguments> everyKernel() {
    return Stream.of(Dtype.values())
        .flatMap(
            dtype ->
                Stream.of(ReduceOp.values())
                    .flatMap(
                        op ->
                            Stream.of(ElementRules.values())
                                .map(rules -> Arguments.of(op, dtype, rules))));
  }

  @ParameterizedTest
  @MethodSource("everyKernel")
  void shouldEqualExactArithmetic(ReduceOp op, Dtype dtype, ElementRules rules) {
    SplittableRandom random = new SplittableRandom(SEED);
    ReduceKernel kernel = new ScalarKernels().kernel(op, dtype, rules);
    long[] specials = finiteSpecials(dtype, random);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment cells = arena.allocate(24, 8);
      for (long a : specials) {
        for (long b : specials) {
          check(kernel, cells, op, dtype, rules, a, b);
        }
      }
      for (int i = 0; i < RANDOM_PAIRS; i++) {
        long a = finite(dtype, random);
        long b = i % 2 == 0 ? finite(dtype, random) : near(a, dtype, random);
        check(kernel, cells, op, dtype, rules, a, b);
      }
    }
  }

  private static void check(
      ReduceKernel kernel,
      MemorySegment cells,
      ReduceOp op,
      Dtype dtype,
      ElementRules rules,
      long a,
      long b) {
    // Overflow of an intermediate product is no matter of rounding: see ScalarKernelsTest.
    if (dtype == Dtype.COMPLEX64 && op == ReduceOp.PRODUCT && !(moderate(a) && moderate(b))) {
      return;
    }
    cells.fill((byte) 0);
    cells.set(ValueLayout.JAVA_LONG, 8, a);
    cells.set(ValueLayout.JAVA_LONG, 16, b);
    kernel.reduce(cells, 0, cells, 8, cells, 16, 1);
    long want = ExactArithmetic.reduce(op, dtype, rules, a, b);
    long got = cells.get(ValueLayout.JAVA_LONG, 0);
    if (got != want) {
      assertThat(Long.toHexString(got))
          .as("%s %s %s of %x and %x, seed %d", op, dtype, rules, a, b, SEED)
          .isEqualTo(Long.toHexString(want));
    }
  }

  private static long[] finiteSpecials(Dtype dtype, SplittableRandom random) {
    long[] finite =
        Arrays.stream(SpecialElements.of(dtype))
            .filter(bits -> ExactArithmetic.isFinite(dtype, bits))
            .toArray();
    return finite.length <= SPECIALS
        ? finite
        : random.ints(SPECIALS, 0, finite.length).mapToLong(i -> finite[i]).toArray();
  }

  private static long finite(Dtype dtype, SplittableRandom random) {
    while (true) {
      long bits = SpecialElements.random(dtype, random);
      if (ExactArithmetic.isFinite(dtype, bits)) {
        return bits;
      }
    }
  }

  /** A number of about the size of another, so that a sum has to round and may cancel. */
  private static long near(long bits, Dtype dtype, SplittableRandom random) {
    long sign = 1L << (8 * dtype.bytes() - 1);
    return switch (dtype) {
      case FLOAT16, BFLOAT16 -> near(bits, sign, 0xFF, dtype, random);
      case FLOAT32, FLOAT64 -> near(bits, sign, 0x3FF_FFFF, dtype, random);
      case COMPLEX64 -> near(bits, sign, 0x0000_FFFF_0000_FFFFL, dtype, random);
      default -> finite(dtype, random);
    };
  }

  private static long near(long bits, long sign, long mask, Dtype dtype, SplittableRandom random) {
    long near = bits ^ (random.nextLong() & (mask | sign));
    return ExactArithmetic.isFinite(dtype, near) ? near : bits;
  }

  /** Whether products of its parts stay far from overflow and underflow. */
  private static boolean moderate(long complex) {
    return moderate(Float.intBitsToFloat((int) complex))
        && moderate(Float.intBitsToFloat((int) (complex >>> 32)));
  }

  private static boolean moderate(float part) {
    return part == 0 || (Math.abs(part) > 0x1p-60f && Math.abs(part) < 0x1p60f);
  }
}
