package io.jaccl4j.reduce.vector;

import static org.assertj.core.api.Assertions.assertThat;

import io.jaccl4j.Dtype;
import io.jaccl4j.reduce.DivisionKernel;
import io.jaccl4j.reduce.ScalarKernels;
import io.jaccl4j.testing.SpecialElements;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Divisions on the Vector API against the scalar reference, bit by bit. */
class VectorDivisionTest {
  private static final long SEED = 20260902;
  private static final int MAX_COUNT = 257;
  private static final int OFFSETS = 8;
  private static final int RANDOM_ELEMENTS = 20_000;
  private static final int SIXTEEN_BIT_VALUES = 1 << 16;
  private static final int[] DIVISORS = {1, 2, 3, 5, 7, 8, 10, 1000, 65_537, Integer.MAX_VALUE};

  @ParameterizedTest
  @EnumSource(
      value = Dtype.class,
      names = {"FLOAT16", "BFLOAT16"})
  void shouldEqualTheReferenceForEverySixteenBitValue(Dtype dtype) {
    compare(dtype, LongStream.range(0, SIXTEEN_BIT_VALUES).toArray());
  }

  @ParameterizedTest
  @EnumSource(value = Dtype.class, mode = EnumSource.Mode.EXCLUDE, names = "BOOL")
  void shouldEqualTheReferenceForSpecialAndRandomElements(Dtype dtype) {
    SplittableRandom random = new SplittableRandom(SEED);
    compare(
        dtype,
        LongStream.concat(
                Arrays.stream(SpecialElements.of(dtype)),
                LongStream.generate(() -> SpecialElements.random(dtype, random))
                    .limit(RANDOM_ELEMENTS))
            .toArray());
  }

  @ParameterizedTest
  @EnumSource(value = Dtype.class, mode = EnumSource.Mode.EXCLUDE, names = "BOOL")
  void shouldEqualTheReferenceAtEveryLengthAndStart(Dtype dtype) {
    SplittableRandom random = new SplittableRandom(SEED);
    DivisionKernel reference = new ScalarKernels().division(dtype);
    DivisionKernel kernel = new VectorKernels().division(dtype);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment data =
          ElementBits.segment(
              arena, dtype, MAX_COUNT + OFFSETS, () -> SpecialElements.random(dtype, random));
      MemorySegment want = arena.allocate(data.byteSize(), 64);
      MemorySegment got = arena.allocate(data.byteSize(), 64);
      for (int count = 0; count <= MAX_COUNT; count++) {
        for (int start = 0; start < OFFSETS; start++) {
          want.copyFrom(data);
          got.copyFrom(data);
          reference.divide(want, start, count, 3);
          kernel.divide(got, start, count, 3);
          assertThat(got.mismatch(want))
              .as("%s x%d at %d, seed %d", dtype, count, start, SEED)
              .isEqualTo(-1);
        }
      }
    }
  }

  private static void compare(Dtype dtype, long[] elements) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment data = ElementBits.segment(arena, dtype, elements);
      MemorySegment want = arena.allocate(data.byteSize(), 64);
      MemorySegment got = arena.allocate(data.byteSize(), 64);
      for (int divisor : DIVISORS) {
        want.copyFrom(data);
        got.copyFrom(data);
        new ScalarKernels().division(dtype).divide(want, 0, elements.length, divisor);
        new VectorKernels().division(dtype).divide(got, 0, elements.length, divisor);
        long mismatch = got.mismatch(want);
        assertThat(mismatch)
            .as(
                "%s, %x by %d, seed %d",
                dtype, elements[(int) Math.max(0, mismatch) / dtype.bytes()], divisor, SEED)
            .isEqualTo(-1);
      }
    }
  }
}
