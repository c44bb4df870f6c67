package io.jaccl4j.reduce;

import io.jaccl4j.Dtype;
import io.jaccl4j.ReduceOp;
import java.math.BigDecimal;
import java.math.BigInteger;

/**
 * What a reduction of two finite elements gives, from integers and decimals of any length. Nothing
 * here uses the JVM's floating-point arithmetic or its conversions to 16 bits.
 */
final class ExactArithmetic {
  private ExactArithmetic() {}

  /** The result's bits, of the operands' bits. */
  static long reduce(ReduceOp op, Dtype dtype, ElementRules rules, long a, long b) {
    return switch (dtype) {
      case BOOL -> op == ReduceOp.SUM || op == ReduceOp.MAX ? Math.max(a, b) : Math.min(a, b);
      case INT8, INT16, INT32, INT64 -> integer(op, dtype, true, a, b);
      case UINT8, UINT16, UINT32, UINT64 -> integer(op, dtype, false, a, b);
      case FLOAT16 -> number(op, FloatFormat.FLOAT16, rules, a, b);
      case BFLOAT16 -> number(op, FloatFormat.BFLOAT16, rules, a, b);
      case FLOAT32 -> number(op, FloatFormat.FLOAT32, rules, a, b);
      case FLOAT64 -> number(op, FloatFormat.FLOAT64, rules, a, b);
      case COMPLEX64 -> complex(op, rules, a, b);
    };
  }

  /** Whether neither an element nor a part of it is a NaN or an infinity. */
  static boolean isFinite(Dtype dtype, long bits) {
    return switch (dtype) {
      case BOOL, INT8, INT16, INT32, INT64, UINT8, UINT16, UINT32, UINT64 -> true;
      case FLOAT16 -> FloatFormat.FLOAT16.isFinite(bits);
      case BFLOAT16 -> FloatFormat.BFLOAT16.isFinite(bits);
      case FLOAT32 -> FloatFormat.FLOAT32.isFinite(bits);
      case FLOAT64 -> FloatFormat.FLOAT64.isFinite(bits);
      case COMPLEX64 ->
          FloatFormat.FLOAT32.isFinite(real(bits)) && FloatFormat.FLOAT32.isFinite(imaginary(bits));
    };
  }

  private static long integer(ReduceOp op, Dtype dtype, boolean signed, long a, long b) {
    int width = 8 * dtype.bytes();
    BigInteger x = integer(a, width, signed);
    BigInteger y = integer(b, width, signed);
    BigInteger result =
        switch (op) {
          case SUM -> x.add(y);
          case PRODUCT -> x.multiply(y);
          case MAX -> x.max(y);
          case MIN -> x.min(y);
        };
    return result.mod(BigInteger.TWO.pow(width)).longValue();
  }

  private static BigInteger integer(long bits, int width, boolean signed) {
    BigInteger modulus = BigInteger.TWO.pow(width);
    BigInteger value = BigInteger.valueOf(bits).mod(modulus);
    return signed && value.testBit(width - 1) ? value.subtract(modulus) : value;
  }

  private static long number(ReduceOp op, FloatFormat format, ElementRules rules, long a, long b) {
    return switch (op) {
      case SUM -> sum(format, a, b);
      case PRODUCT -> product(format, a, b);
      case MAX -> compare(format, rules, a, b) > 0 ? a : b;
      case MIN -> compare(format, rules, a, b) < 0 ? a : b;
    };
  }

  private static long sum(FloatFormat format, long a, long b) {
    BigDecimal exact = format.value(a).add(format.value(b));
    // Zero is negative only where both operands are negative zeros.
    boolean negative =
        exact.signum() == 0 ? format.isNegative(a) && format.isNegative(b) : exact.signum() < 0;
    return format.round(exact.abs(), negative);
  }

  private static long product(FloatFormat format, long a, long b) {
    return format.round(
        format.value(a).multiply(format.value(b)).abs(),
        format.isNegative(a) ^ format.isNegative(b));
  }

  /** JACCL's zeros are equal; otherwise the negative one is smaller. */
  private static int compare(FloatFormat format, ElementRules rules, long a, long b) {
    int order = format.value(a).compareTo(format.value(b));
    return order != 0 || rules == ElementRules.JACCL
        ? order
        : Boolean.compare(format.isNegative(b), format.isNegative(a));
  }

  private static long complex(ReduceOp op, ElementRules rules, long a, long b) {
    FloatFormat format = FloatFormat.FLOAT32;
    return switch (op) {
      case SUM -> complex(sum(format, real(a), real(b)), sum(format, imaginary(a), imaginary(b)));
      case PRODUCT ->
          complex(
              sum(
                  format,
                  product(format, real(a), real(b)),
                  format.negate(product(format, imaginary(a), imaginary(b)))),
              sum(
                  format,
                  product(format, real(a), imaginary(b)),
                  product(format, imaginary(a), real(b))));
      case MAX -> compareComplex(rules, a, b) > 0 ? a : b;
      case MIN -> compareComplex(rules, a, b) < 0 ? a : b;
    };
  }

  private static int compareComplex(ElementRules rules, long a, long b) {
    int byReal = compare(FloatFormat.FLOAT32, rules, real(a), real(b));
    return byReal != 0 ? byReal : compare(FloatFormat.FLOAT32, rules, imaginary(a), imaginary(b));
  }

  private static long complex(long real, long imaginary) {
    return imaginary << 32 | real;
  }

  private static long real(long complex) {
    return complex & 0xFFFF_FFFFL;
  }

  private static long imaginary(long complex) {
    return complex >>> 32;
  }
}
