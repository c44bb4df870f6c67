package io.jaccl4j.cli.bench.exchange;

import io.jaccl4j.Dtype;
import io.jaccl4j.ReduceOp;

/**
 * An element before it is given a type: a whole number, two for a complex one.
 *
 * @param real the number
 * @param imaginary the second one of a complex number, of no meaning otherwise
 */
record ElementValue(long real, long imaginary) {

  ElementValue combine(ReduceOp op, ElementValue other, Dtype dtype) {
    return switch (op) {
      // The sum of booleans is "or".
      case SUM ->
          dtype == Dtype.BOOL
              ? new ElementValue(real | other.real, 0)
              : new ElementValue(real + other.real, imaginary + other.imaginary);
      case MAX -> isLess(other, dtype) ? other : this;
      case MIN -> isLess(other, dtype) ? this : other;
      case PRODUCT -> throw new IllegalArgumentException("products are not measured");
    };
  }

  /** Complex numbers are compared by real part, then by imaginary part. */
  private boolean isLess(ElementValue other, Dtype dtype) {
    return real != other.real
        ? real < other.real
        : dtype == Dtype.COMPLEX64 && imaginary < other.imaginary;
  }
}
