package io.jaccl4j.reduce.vector;

import static org.assertj.core.api.Assertions.assertThat;

import io.jaccl4j.Dtype;
import io.jaccl4j.ReduceOp;
import io.jaccl4j.reduce.ElementRules;
import io.jaccl4j.reduce.KernelProvider;
import io.jaccl4j.reduce.Kernels;
import io.jaccl4j.reduce.ReduceKernel;
import io.jaccl4j.reduce.ScalarKernels;
import io.jaccl4j.testing.SpecialElements;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Vector kernels against the scalar reference, bit by bit. */
class VectorKernelsTest {
  private static final long SEED = 20260901;
  private static final int MAX_COUNT = 257;

  /** Byte offsets of a start from an aligned one. */
  private static final int OFFSETS = 8;

  private static final int RANDOM_PAIRS = 20_000;

  /** Lengths that end within, at and behind a vector of any width and type. */
  private static final int[] COUNTS_OF_EVERY_START = {1, 16, 67, 130};

  private static final int SIXTEEN_BIT_VALUES = 1 << 16;
  private static final int RANDOM_SECOND_OPERANDS = 56;

  private final KernelProvider vector = new VectorKernels();
  private final KernelProvider scalar = new ScalarKernels();

  static Stream<Arguments> everyKernel() {
    return Stream.of(Dtype.values()).flatMap(VectorKernelsTest::kernelsOf);
  }

  static Stream<Arguments> sixteenBitKernels() {
    return Stream.of(Dtype.FLOAT16, Dtype.BFLOAT16, Dtype.INT16, Dtype.UINT16)
        .flatMap(VectorKernelsTest::kernelsOf);
  }

  private static Stream<Arguments> kernelsOf(Dtype dtype) {
    return Stream.of(ReduceOp.values())
        .flatMap(
            op -> Stream.of(ElementRules.values()).map(rules -> Arguments.of(op, dtype, rules)));
  }

  @ParameterizedTest
  @MethodSource("everyKernel")
  void shouldEqualTheReferenceAtEveryLength(ReduceOp op, Dtype dtype, ElementRules rules) {
    try (Arena arena = Arena.ofConfined()) {
      Trial trial = new Trial(arena, op, dtype, rules);
      for (int count = 0; count <= MAX_COUNT; count++) {
        for (int start = 0; start < OFFSETS; start++) {
          trial.compare(start, (3 * start + count) % OFFSETS, (5 * start + 1) % OFFSETS, count);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("everyKernel")
  void shouldEqualTheReferenceFromEveryStart(ReduceOp op, Dtype dtype, ElementRules rules) {
    try (Arena arena = Arena.ofConfined()) {
      Trial trial = new Trial(arena, op, dtype, rules);
      for (int count : COUNTS_OF_EVERY_START) {
        for (int starts = 0; starts < OFFSETS * OFFSETS * OFFSETS; starts++) {
          trial.compare(
              starts % OFFSETS, starts / OFFSETS % OFFSETS, starts / (OFFSETS * OFFSETS), count);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("everyKernel")
  void shouldEqualTheReferenceForSpecialElements(ReduceOp op, Dtype dtype, ElementRules rules) {
    assertThat(
            ReferenceComparison.differenceOfSpecials(op, dtype, rules, SpecialElements.of(dtype)))
        .isEmpty();
  }

  @ParameterizedTest
  @MethodSource("everyKernel")
  void shouldEqualTheReferenceForRandomElements(ReduceOp op, Dtype dtype, ElementRules rules) {
    SplittableRandom random = new SplittableRandom(SEED);
    long[] specials = SpecialElements.of(dtype);
    long[] first =
        LongStream.generate(() -> element(dtype, specials, random)).limit(RANDOM_PAIRS).toArray();
    long[] second =
        LongStream.generate(() -> element(dtype, specials, random)).limit(RANDOM_PAIRS).toArray();
    assertThat(ReferenceComparison.difference(op, dtype, rules, first, second))
        .as("seed %d", SEED)
        .isEmpty();
  }

  @ParameterizedTest
  @MethodSource("sixteenBitKernels")
  void shouldEqualTheReferenceForEverySixteenBitValue(
      ReduceOp op, Dtype dtype, ElementRules rules) {
    SplittableRandom random = new SplittableRandom(SEED);
    long[] operands =
        LongStream.concat(
                Arrays.stream(SpecialElements.of(dtype)),
                LongStream.generate(() -> random.nextInt(SIXTEEN_BIT_VALUES))
                    .limit(RANDOM_SECOND_OPERANDS))
            .toArray();
    assertThat(operands.length).isGreaterThanOrEqualTo(64);
    long bytes = 2L * SIXTEEN_BIT_VALUES;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment all = arena.allocate(bytes, 64);
      for (int value = 0; value < SIXTEEN_BIT_VALUES; value++) {
        all.setAtIndex(ValueLayout.JAVA_SHORT, value, (short) value);
      }
      MemorySegment other = arena.allocate(bytes, 64);
      MemorySegment want = arena.allocate(bytes, 64);
      MemorySegment got = arena.allocate(bytes, 64);
      ReduceKernel reference = scalar.kernel(op, dtype, rules);
      ReduceKernel kernel = vector.kernel(op, dtype, rules);
      for (long operand : operands) {
        for (int i = 0; i < SIXTEEN_BIT_VALUES; i++) {
          other.setAtIndex(ValueLayout.JAVA_SHORT, i, (short) operand);
        }
        reference.reduce(want, 0, all, 0, other, 0, SIXTEEN_BIT_VALUES);
        kernel.reduce(got, 0, all, 0, other, 0, SIXTEEN_BIT_VALUES);
        assertThat(got.mismatch(want))
            .as("%s %s, second operand %04x, seed %d", op, dtype, operand, SEED)
            .isEqualTo(-1);
        reference.reduce(want, 0, other, 0, all, 0, SIXTEEN_BIT_VALUES);
        kernel.reduce(got, 0, other, 0, all, 0, SIXTEEN_BIT_VALUES);
        assertThat(got.mismatch(want))
            .as("%s %s, first operand %04x, seed %d", op, dtype, operand, SEED)
            .isEqualTo(-1);
      }
    }
  }

  @Test
  void shouldBeInUseWhereTheModuleIs() {
    assertThat(ModuleLayer.boot().findModule("jdk.incubator.vector")).isPresent();
    assertThat(Kernels.providerName()).isEqualTo(vector.name());
  }

  private static long element(Dtype dtype, long[] specials, SplittableRandom random) {
    return random.nextInt(8) == 0
        ? specials[random.nextInt(specials.length)]
        : SpecialElements.random(dtype, random);
  }

  /** One kernel with its operands, at whatever start and length. */
  private final class Trial {
    private static final int ROOM = 64;
    private static final byte CANARY = (byte) 0xA5;

    private final ReduceOp op;
    private final Dtype dtype;
    private final ElementRules rules;
    private final ReduceKernel reference;
    private final ReduceKernel kernel;
    private final MemorySegment a;
    private final MemorySegment b;
    private final MemorySegment want;
    private final MemorySegment got;

    Trial(Arena arena, ReduceOp op, Dtype dtype, ElementRules rules) {
      this.op = op;
      this.dtype = dtype;
      this.rules = rules;
      this.reference = scalar.kernel(op, dtype, rules);
      this.kernel = vector.kernel(op, dtype, rules);
      SplittableRandom random = new SplittableRandom(SEED);
      long[] specials = SpecialElements.of(dtype);
      int elements = MAX_COUNT + 2 * ROOM / dtype.bytes();
      a = ElementBits.segment(arena, dtype, elements, () -> element(dtype, specials, random));
      b = ElementBits.segment(arena, dtype, elements, () -> element(dtype, specials, random));
      want = arena.allocate(a.byteSize(), 64);
      got = arena.allocate(a.byteSize(), 64);
    }

    void compare(int dstStart, int aStart, int bStart, int count) {
      long used = ROOM + (long) count * dtype.bytes() + ROOM;
      String name =
          "%s %s %s x%d at %d from %d and %d, seed %d"
              .formatted(op, dtype, rules, count, dstStart, aStart, bStart, SEED);
      want.asSlice(0, used).fill(CANARY);
      got.asSlice(0, used).fill(CANARY);
      reference.reduce(want, dstStart, a, aStart, b, bStart, count);
      kernel.reduce(got, dstStart, a, aStart, b, bStart, count);
      check(name, used);

      want.asSlice(0, used).copyFrom(a.asSlice(0, used));
      got.asSlice(0, used).copyFrom(a.asSlice(0, used));
      reference.reduce(want, aStart, a, aStart, b, bStart, count);
      kernel.reduce(got, aStart, got, aStart, b, bStart, count);
      check("in place of the first, " + name, used);

      want.asSlice(0, used).copyFrom(b.asSlice(0, used));
      got.asSlice(0, used).copyFrom(b.asSlice(0, used));
      reference.reduce(want, bStart, a, aStart, b, bStart, count);
      kernel.reduce(got, bStart, a, aStart, got, bStart, count);
      check("in place of the second, " + name, used);
    }

    private void check(String name, long used) {
      long mismatch = MemorySegment.mismatch(got, 0, used, want, 0, used);
      if (mismatch != -1) {
        assertThat(mismatch).as(name).isEqualTo(-1);
      }
    }
  }
}
