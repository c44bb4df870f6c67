package io.jaccl4j.reduce;

import java.math.BigDecimal;

/** A binary floating-point format, by its definition in IEEE 754. */
enum FloatFormat {
  FLOAT16(5, 10),
  BFLOAT16(8, 7),
  FLOAT32(8, 23),
  FLOAT64(11, 52);

  private final int exponentBits;
  private final int fractionBits;

  FloatFormat(int exponentBits, int fractionBits) {
    this.exponentBits = exponentBits;
    this.fractionBits = fractionBits;
  }

  boolean isNegative(long bits) {
    return (bits & sign()) != 0;
  }

  long negate(long bits) {
    return bits ^ sign();
  }

  boolean isFinite(long bits) {
    return magnitude(bits) < infinity();
  }

  /** The exact value of a finite number. */
  BigDecimal value(long bits) {
    BigDecimal value = magnitudeValue(magnitude(bits));
    return isNegative(bits) ? value.negate() : value;
  }

  /**
   * Rounds to nearest even. The 16-bit formats by way of {@code float32}, as the element rules say.
   */
  long round(BigDecimal magnitude, boolean negative) {
    BigDecimal value = magnitude;
    if (this == FLOAT16 || this == BFLOAT16) {
      long single = FLOAT32.nearest(magnitude);
      if (single == FLOAT32.infinity()) {
        return negative ? infinity() | sign() : infinity();
      }
      value = FLOAT32.magnitudeValue(single);
    }
    long nearest = nearest(value);
    return negative ? nearest | sign() : nearest;
  }

  /** By halving: the bits of numbers that are not negative have the order of the numbers. */
  private long nearest(BigDecimal magnitude) {
    long low = 0;
    long high = infinity();
    while (high - low > 1) {
      long middle = (low + high) >>> 1;
      if (magnitudeValue(middle).compareTo(magnitude) <= 0) {
        low = middle;
      } else {
        high = middle;
      }
    }
    // Infinity stands for the number that would follow the largest one.
    BigDecimal toLow = magnitude.subtract(magnitudeValue(low));
    BigDecimal toHigh = magnitudeValue(high).subtract(magnitude);
    int nearer = toLow.compareTo(toHigh);
    return nearer < 0 || (nearer == 0 && (low & 1) == 0) ? low : high;
  }

  private BigDecimal magnitudeValue(long bits) {
    long fraction = bits & ((1L << fractionBits) - 1);
    int exponent = (int) (bits >>> fractionBits);
    int bias = (1 << (exponentBits - 1)) - 1;
    long significand = exponent == 0 ? fraction : fraction | 1L << fractionBits;
    int power = Math.max(exponent, 1) - bias - fractionBits;
    BigDecimal scale = BigDecimal.TWO.pow(Math.abs(power));
    // Division by a power of two ends after as many decimal places as the power.
    return power >= 0
        ? BigDecimal.valueOf(significand).multiply(scale)
        : BigDecimal.valueOf(significand).divide(scale);
  }

  private long magnitude(long bits) {
    return bits & (sign() - 1);
  }

  private long infinity() {
    return ((1L << exponentBits) - 1) << fractionBits;
  }

  private long sign() {
    return 1L << (exponentBits + fractionBits);
  }
}
