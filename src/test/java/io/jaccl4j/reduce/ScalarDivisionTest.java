package io.jaccl4j.reduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jaccl4j.Dtype;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Means by values worked out by hand. Operands and results as hexadecimal bits. */
class ScalarDivisionTest {

  @ParameterizedTest(name = "{0}: {1} / {2} -> {3}")
  @CsvSource({
    // towards zero: -7 / 2 = -3
    "INT8, f9, 2, fd",
    "INT16, fff9, 2, fffd",
    "INT32, fffffff9, 2, fffffffd",
    "INT64, fffffffffffffff9, 2, fffffffffffffffd",
    "INT32, 80000000, 3, d5555556",
    // unsigned
    "UINT8, ff, 2, 7f",
    "UINT16, ffff, 3, 5555",
    "UINT32, ffffffff, 3, 55555555",
    "UINT64, ffffffffffffffff, 5, 3333333333333333",
    // 1 / 3, to nearest
    "FLOAT16, 3c00, 3, 3555",
    "BFLOAT16, 3f80, 3, 3eab",
    "FLOAT32, 3f800000, 3, 3eaaaaab",
    "FLOAT64, 3ff0000000000000, 3, 3fd5555555555555",
    // the smallest denormal by 2 is half way to zero, which is even; 3 of them by 2 go to 2
    "FLOAT16, 1, 2, 0",
    "FLOAT16, 3, 2, 2",
    "BFLOAT16, 3, 2, 2",
    "FLOAT32, 1, 2, 0",
    // signs, infinities, NaNs
    "FLOAT32, 80000000, 3, 80000000",
    "FLOAT64, fff0000000000000, 3, fff0000000000000",
    "FLOAT16, fc00, 3, fc00",
    "FLOAT32, ffc12345, 3, 7fc00000",
    "FLOAT64, fff8000000000001, 3, 7ff8000000000000",
    "BFLOAT16, ffc1, 3, 7fc0",
    "FLOAT16, 7c01, 3, 7e00",
    // (3, 6) / 3 = (1, 2)
    "COMPLEX64, 40c0000040400000, 3, 400000003f800000",
  })
  void shouldDivide(Dtype dtype, String dividend, int divisor, String want) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment data = arena.allocate(24, 8);
      data.set(ValueLayout.JAVA_LONG, 8, Long.parseUnsignedLong(dividend, 16));
      new ScalarKernels().division(dtype).divide(data, 8, 1, divisor);
      assertThat(Long.toHexString(data.get(ValueLayout.JAVA_LONG, 8))).isEqualTo(want);
      assertThat(data.get(ValueLayout.JAVA_LONG, 0)).as("before").isZero();
      assertThat(data.get(ValueLayout.JAVA_LONG, 16)).as("behind").isZero();
    }
  }

  @Test
  void shouldRefuseBooleans() {
    DivisionKernel kernel = new ScalarKernels().division(Dtype.BOOL);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment data = arena.allocate(1);
      assertThatThrownBy(() -> kernel.divide(data, 0, 1, 2))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("booleans have no mean");
    }
  }
}
