package io.jaccl4j.reduce;

import static org.assertj.core.api.Assertions.assertThat;

import io.jaccl4j.Dtype;
import io.jaccl4j.ReduceOp;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Vector kernels against the scalar reference, bit by bit. */
class VectorKernelsTest {
  private static final long SEED = 20260901;
  private static final int MAX_COUNT = 257;
  private static final int ROOM = 64;
  private static final byte CANARY = (byte) 0xA5;

  private final KernelProvider vector = new VectorKernels();
  private final KernelProvider scalar = new ScalarKernels();

  @ParameterizedTest
  @MethodSource("dtypesAndRules")
  void shouldEqualTheReferenceAtEveryLengthAndAlignment(Dtype dtype, ElementRules rules) {
    SplittableRandom random = new SplittableRandom(SEED);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment a = randomBits(arena, random, dtype);
      MemorySegment b = randomBits(arena, random, dtype);
      for (ReduceOp op : ReduceOp.values()) {
        for (int count = 0; count <= MAX_COUNT; count++) {
          compare(op, dtype, rules, a, count % ROOM, b, (count * 7) % ROOM, count);
        }
      }
    }
  }

  private void compare(
      ReduceOp op,
      Dtype dtype,
      ElementRules rules,
      MemorySegment a,
      long aOffset,
      MemorySegment b,
      long bOffset,
      int count) {
    try (Arena arena = Arena.ofConfined()) {
      long bytes = (long) count * dtype.bytes();
      long at = (count * 3L) % ROOM;
      MemorySegment want = arena.allocate(bytes + 2 * ROOM).fill(CANARY);
      MemorySegment got = arena.allocate(bytes + 2 * ROOM).fill(CANARY);
      scalar.kernel(op, dtype, rules).reduce(want, at, a, aOffset, b, bOffset, count);
      vector.kernel(op, dtype, rules).reduce(got, at, a, aOffset, b, bOffset, count);
      assertThat(got.mismatch(want)).as("%s %s x%d, seed %d", op, dtype, count, SEED).isEqualTo(-1);

      MemorySegment inPlace = arena.allocate(a.byteSize()).copyFrom(a);
      vector.kernel(op, dtype, rules).reduce(inPlace, aOffset, inPlace, aOffset, b, bOffset, count);
      assertThat(MemorySegment.mismatch(inPlace, aOffset, aOffset + bytes, want, at, at + bytes))
          .as("in place, %s %s x%d, seed %d", op, dtype, count, SEED)
          .isEqualTo(-1);
    }
  }

  /** Random bits with every eighth element special: zeros, infinities, NaNs, extremes. */
  private static MemorySegment randomBits(Arena arena, SplittableRandom random, Dtype dtype) {
    MemorySegment segment = arena.allocate((long) MAX_COUNT * dtype.bytes() + ROOM + 8);
    for (long i = 0; i + 8 <= segment.byteSize(); i += 8) {
      segment.set(ValueLayout.JAVA_LONG_UNALIGNED, i, random.nextLong());
    }
    long[] specials = {
      0,
      0x8000000080008000L,
      0x7f8000007f807f80L,
      0x7ff0000000000000L,
      0x7fc000007fc07e00L,
      0x7ff8000000000001L,
      -1,
      0x7fffffffffffffffL,
      0xff800000ff80fc00L,
      0x7c007c007c007c00L
    };
    for (long i = 0; i + 8 <= segment.byteSize(); i += 8L * dtype.bytes()) {
      segment.set(ValueLayout.JAVA_LONG_UNALIGNED, i, specials[random.nextInt(specials.length)]);
    }
    if (dtype == Dtype.BOOL) {
      for (long i = 0; i < segment.byteSize(); i++) {
        segment.set(ValueLayout.JAVA_BYTE, i, (byte) (segment.get(ValueLayout.JAVA_BYTE, i) & 1));
      }
    }
    return segment;
  }

  static Stream<Arguments> dtypesAndRules() {
    return Stream.of(Dtype.values())
        .flatMap(
            dtype -> Stream.of(ElementRules.values()).map(rules -> Arguments.of(dtype, rules)));
  }

  static Stream<Arguments> sixteenBitTypesAndRules() {
    return Stream.of(Dtype.BFLOAT16, Dtype.FLOAT16, Dtype.INT16, Dtype.UINT16)
        .flatMap(
            dtype -> Stream.of(ElementRules.values()).map(rules -> Arguments.of(dtype, rules)));
  }

  @ParameterizedTest
  @MethodSource("sixteenBitTypesAndRules")
  void shouldEqualTheReferenceForEverySixteenBitValue(Dtype dtype, ElementRules rules) {
    int values = 1 << 16;
    SplittableRandom random = new SplittableRandom(SEED);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment all = arena.allocate(2L * values, 64);
      MemorySegment other = arena.allocate(2L * values, 64);
      MemorySegment want = arena.allocate(2L * values, 64);
      MemorySegment got = arena.allocate(2L * values, 64);
      for (int v = 0; v < values; v++) {
        all.setAtIndex(ValueLayout.JAVA_SHORT, v, (short) v);
      }
      for (int second = 0; second < 64; second++) {
        short operand = (short) (second < 32 ? second * 2048 + 1 : random.nextInt(values));
        for (int v = 0; v < values; v++) {
          other.setAtIndex(ValueLayout.JAVA_SHORT, v, operand);
        }
        for (ReduceOp op : ReduceOp.values()) {
          scalar.kernel(op, dtype, rules).reduce(want, 0, all, 0, other, 0, values);
          vector.kernel(op, dtype, rules).reduce(got, 0, all, 0, other, 0, values);
          assertThat(got.mismatch(want))
              .as("%s %s, second operand %04x, seed %d", op, dtype, operand & 0xffff, SEED)
              .isEqualTo(-1);
        }
      }
    }
  }

  @Test
  void shouldBeInUseWhereTheModuleIs() {
    assertThat(ModuleLayer.boot().findModule("jdk.incubator.vector")).isPresent();
    assertThat(Kernels.providerName()).startsWith("vector");
  }
}
