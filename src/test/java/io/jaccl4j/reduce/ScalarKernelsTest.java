package io.jaccl4j.reduce;

import static org.assertj.core.api.Assertions.assertThat;

import io.jaccl4j.Dtype;
import io.jaccl4j.ReduceOp;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The element rules, by values worked out by hand. Operands and results as hexadecimal bits. */
class ScalarKernelsTest {

  @ParameterizedTest(name = "{0} {1}: {2}, {3} -> {4}")
  @CsvSource({
    // wrap-around
    "SUM, INT8, 7f, 1, 80",
    "SUM, UINT8, ff, 2, 1",
    "SUM, INT16, 7fff, 1, 8000",
    "SUM, INT32, 7fffffff, 1, 80000000",
    "SUM, UINT64, ffffffffffffffff, 3, 2",
    // signed and unsigned order
    "MAX, INT8, ff, 1, 1",
    "MAX, UINT8, ff, 1, ff",
    "MIN, INT16, 8000, 1, 8000",
    "MIN, UINT16, 8000, 1, 1",
    "MAX, UINT32, ffffffff, 1, ffffffff",
    "MIN, INT64, ffffffffffffffff, 1, ffffffffffffffff",
    "MIN, UINT64, ffffffffffffffff, 1, 1",
    // booleans
    "SUM, BOOL, 1, 1, 1",
    "MAX, BOOL, 0, 1, 1",
    "MIN, BOOL, 0, 1, 0",
    // float32: 1 + 2, NaN with payload, zeros
    "SUM, FLOAT32, 3f800000, 40000000, 40400000",
    "SUM, FLOAT32, 7fc12345, 3f800000, 7fc00000",
    "SUM, FLOAT32, 7f800000, ff800000, 7fc00000",
    "MAX, FLOAT32, 3f800000, ffc00001, 7fc00000",
    "MIN, FLOAT32, 7f800001, 3f800000, 7fc00000",
    "MAX, FLOAT32, 80000000, 0, 0",
    "MIN, FLOAT32, 0, 80000000, 80000000",
    "MAX, FLOAT32, bf800000, c0000000, bf800000",
    // float64
    "SUM, FLOAT64, 3ff0000000000000, 4000000000000000, 4008000000000000",
    "MAX, FLOAT64, fff8000000000001, 3ff0000000000000, 7ff8000000000000",
    "MIN, FLOAT64, 0, 8000000000000000, 8000000000000000",
    // bfloat16: 1 + 1/256 is half way between 1 and 1 + 1/128: ties go to the even one
    "SUM, BFLOAT16, 3f80, 3b80, 3f80",
    "SUM, BFLOAT16, 3f81, 3b80, 3f82",
    "SUM, BFLOAT16, 3f80, 3bc0, 3f81",
    "SUM, BFLOAT16, 7f7f, 7f7f, 7f80",
    "SUM, BFLOAT16, 7fc1, 3f80, 7fc0",
    "MAX, BFLOAT16, bf80, 3f80, 3f80",
    "MIN, BFLOAT16, 7f81, 3f80, 7fc0",
    // float16: 1 + 1/2048 is half way between 1 and 1 + 1/1024
    "SUM, FLOAT16, 3c00, 1000, 3c00",
    "SUM, FLOAT16, 3c01, 1000, 3c02",
    "SUM, FLOAT16, 7bff, 7bff, 7c00",
    "SUM, FLOAT16, 7e01, 3c00, 7e00",
    "MAX, FLOAT16, 8000, 0, 0",
    // complex64, imaginary part in the upper half: (1,2) + (3,4); order by real, then imaginary
    "SUM, COMPLEX64, 400000003f800000, 4080000040400000, 40c0000040800000",
    "MAX, COMPLEX64, 400000003f800000, 3f80000040400000, 3f80000040400000",
    "MAX, COMPLEX64, 400000003f800000, 404000003f800000, 404000003f800000",
    "MIN, COMPLEX64, 400000003f800000, 404000003f800000, 400000003f800000",
    "MIN, COMPLEX64, 7fc000003f800000, 404000003f800000, 7fc000007fc00000",
    "MAX, COMPLEX64, 7f8000003f800000, 3f8000007f800001, 7fc000007fc00000",
    "MAX, COMPLEX64, 40000000ff800000, 3f8000007f800000, 3f8000007f800000",
    "MAX, COMPLEX64, 800000003f800000, 3f800000, 3f800000",
    "MIN, COMPLEX64, 4000000080000000, 4040000000000000, 4000000080000000",
    // products: -1 * 2, overflow, infinity times zero, the smallest denormal halved, bits wrap
    "PRODUCT, FLOAT32, bf800000, 40000000, c0000000",
    "PRODUCT, FLOAT32, 7f7fffff, 40000000, 7f800000",
    "PRODUCT, FLOAT32, 7f800000, 0, 7fc00000",
    "PRODUCT, FLOAT32, 1, bf000000, 80000000",
    "PRODUCT, FLOAT64, fff0000000000000, 0, 7ff8000000000000",
    "PRODUCT, BFLOAT16, 7f80, 8000, 7fc0",
    "PRODUCT, FLOAT16, fc00, bc00, 7c00",
    "PRODUCT, FLOAT16, 7c00, 0, 7e00",
    "PRODUCT, INT8, 80, ff, 80",
    "PRODUCT, UINT64, ffffffffffffffff, ffffffffffffffff, 1",
    "PRODUCT, BOOL, 1, 0, 0",
    // (1,2) * (3,4) = (-5,10); an infinity times (1,0) has infinity * 0 in the other part
    "PRODUCT, COMPLEX64, 400000003f800000, 4080000040400000, 41200000c0a00000",
    "PRODUCT, COMPLEX64, 7f800000, 3f800000, 7fc000007f800000",
    "SUM, COMPLEX64, 3f8000007f800000, 3f800000ff800000, 400000007fc00000",
  })
  void shouldFollowTheElementRules(
      ReduceOp op, Dtype dtype, String first, String second, String want) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment a = cell(arena, first);
      MemorySegment b = cell(arena, second);
      MemorySegment got = arena.allocate(8, 8);
      new ScalarKernels()
          .kernel(op, dtype, ElementRules.REPRODUCIBLE)
          .reduce(got, 0, a, 0, b, 0, 1);
      assertThat(Long.toHexString(got.get(ValueLayout.JAVA_LONG, 0))).isEqualTo(want);
      MemorySegment swapped = arena.allocate(8, 8);
      new ScalarKernels()
          .kernel(op, dtype, ElementRules.REPRODUCIBLE)
          .reduce(swapped, 0, b, 0, a, 0, 1);
      assertThat(Long.toHexString(swapped.get(ValueLayout.JAVA_LONG, 0)))
          .as("either way round")
          .isEqualTo(want);
    }
  }

  /** {@code a > b ? a : b}: the second operand wins ties and whenever either is NaN. */
  @ParameterizedTest(name = "{0} {1}: {2}, {3} -> {4}")
  @CsvSource({
    "MAX, FLOAT32, 7fc12345, 3f800000, 3f800000",
    "MAX, FLOAT32, 3f800000, 7fc12345, 7fc12345",
    "MIN, FLOAT32, 7fc12345, 3f800000, 3f800000",
    "MAX, FLOAT32, 0, 80000000, 80000000",
    "MIN, FLOAT32, 80000000, 0, 0",
    "MAX, FLOAT32, 40000000, 3f800000, 40000000",
    "MIN, FLOAT64, fff8000000000001, 3ff0000000000000, 3ff0000000000000",
    "MAX, FLOAT64, 3ff0000000000000, fff8000000000001, fff8000000000001",
    "MAX, BFLOAT16, 3f80, 7fc1, 7fc1",
    "MIN, BFLOAT16, bf80, 3f80, bf80",
    "MAX, FLOAT16, 0, 8000, 8000",
    "MAX, COMPLEX64, 7fc000003f800000, 404000003f800000, 404000003f800000",
    "MAX, COMPLEX64, 404000003f800000, 7fc000003f800000, 7fc000003f800000",
    "MIN, COMPLEX64, 400000003f800000, 404000003f800000, 400000003f800000",
    // a NaN decides only where it is compared: not behind a real part that has decided
    "MAX, COMPLEX64, 7fc0000040000000, 404000003f800000, 7fc0000040000000",
    "MIN, COMPLEX64, 7fc000003f800000, 4040000040000000, 7fc000003f800000",
    "MAX, COMPLEX64, 404000007fc00000, 404000003f800000, 404000003f800000",
    "MIN, COMPLEX64, 404000003f800000, 404000007fc00001, 404000007fc00001",
    "MAX, COMPLEX64, 4040000080000000, 4000000000000000, 4040000080000000",
    "MAX, COMPLEX64, 0, 8000000080000000, 8000000080000000",
    "MIN, FLOAT16, 7e01, 3c00, 3c00",
    "MAX, FLOAT16, 3c00, fe01, fe01",
    "MIN, FLOAT16, fc00, 3c00, fc00",
    "SUM, FLOAT32, 3f800000, 40000000, 40400000",
    "MAX, INT32, 7, 9, 9",
  })
  void shouldCompareAsJacclDoes(
      ReduceOp op, Dtype dtype, String first, String second, String want) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment got = arena.allocate(8, 8);
      new ScalarKernels()
          .kernel(op, dtype, ElementRules.JACCL)
          .reduce(got, 0, cell(arena, first), 0, cell(arena, second), 0, 1);
      assertThat(Long.toHexString(got.get(ValueLayout.JAVA_LONG, 0))).isEqualTo(want);
    }
  }

  private static MemorySegment cell(Arena arena, String hex) {
    MemorySegment cell = arena.allocate(8, 8);
    cell.set(ValueLayout.JAVA_LONG, 0, Long.parseUnsignedLong(hex, 16));
    return cell;
  }
}
