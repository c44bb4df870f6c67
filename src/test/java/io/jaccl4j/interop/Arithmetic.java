package io.jaccl4j.interop;

import io.jaccl4j.Dtype;
import java.nio.ByteBuffer;

/**
 * JACCL's element rules for one type, on raw bits in the low bytes of a {@code long}; a complex
 * number has its imaginary part in the upper half.
 */
abstract class Arithmetic {

  abstract long add(long a, long b);

  /** Whether {@code a} is greater; never if one is not a number. */
  abstract boolean greater(long a, long b);

  abstract int bytes();

  /** The second operand wins ties and whatever cannot be compared. */
  final long max(long a, long b) {
    return greater(a, b) ? a : b;
  }

  final long min(long a, long b) {
    return greater(b, a) ? a : b;
  }

  final void put(ByteBuffer buffer, int index, long bits) {
    switch (bytes()) {
      case 1 -> buffer.put(index, (byte) bits);
      case 2 -> buffer.putShort(2 * index, (short) bits);
      case 4 -> buffer.putInt(4 * index, (int) bits);
      default -> buffer.putLong(8 * index, bits);
    }
  }

  static Arithmetic of(Dtype dtype) {
    return switch (dtype) {
      case BOOL -> new Bool();
      case UINT8, UINT16, UINT32, UINT64 -> new Unsigned(dtype.bytes());
      case INT8, INT16, INT32, INT64 -> new Signed(dtype.bytes());
      case FLOAT16 -> new Half();
      case BFLOAT16 -> new Brain();
      case FLOAT32 -> new Single();
      case FLOAT64 -> new Double64();
      case COMPLEX64 -> new Complex();
    };
  }

  private static final class Bool extends Arithmetic {
    @Override
    long add(long a, long b) {
      return a | b;
    }

    @Override
    boolean greater(long a, long b) {
      return a > b;
    }

    @Override
    int bytes() {
      return 1;
    }
  }

  private static final class Unsigned extends Arithmetic {
    private final int bytes;

    Unsigned(int bytes) {
      this.bytes = bytes;
    }

    @Override
    long add(long a, long b) {
      return bytes == 8 ? a + b : (a + b) & ((1L << 8 * bytes) - 1);
    }

    @Override
    boolean greater(long a, long b) {
      return Long.compareUnsigned(a, b) > 0;
    }

    @Override
    int bytes() {
      return bytes;
    }
  }

  /** Sign-extended, so that wrapped sums compare rightly. */
  private static final class Signed extends Arithmetic {
    private final int bytes;

    Signed(int bytes) {
      this.bytes = bytes;
    }

    @Override
    long add(long a, long b) {
      int unused = 64 - 8 * bytes;
      return (a + b) << unused >> unused;
    }

    @Override
    boolean greater(long a, long b) {
      return a > b;
    }

    @Override
    int bytes() {
      return bytes;
    }
  }

  private static final class Half extends Arithmetic {
    private static float value(long bits) {
      return Float.float16ToFloat((short) bits);
    }

    @Override
    long add(long a, long b) {
      return Float.floatToFloat16(value(a) + value(b)) & 0xffffL;
    }

    @Override
    boolean greater(long a, long b) {
      return value(a) > value(b);
    }

    @Override
    int bytes() {
      return 2;
    }
  }

  private static final class Brain extends Arithmetic {
    private static float value(long bits) {
      return Float.intBitsToFloat((int) bits << 16);
    }

    @Override
    long add(long a, long b) {
      return Inputs.brain(value(a) + value(b));
    }

    @Override
    boolean greater(long a, long b) {
      return value(a) > value(b);
    }

    @Override
    int bytes() {
      return 2;
    }
  }

  private static final class Single extends Arithmetic {
    @Override
    long add(long a, long b) {
      float sum = Float.intBitsToFloat((int) a) + Float.intBitsToFloat((int) b);
      return Float.floatToRawIntBits(sum) & 0xffffffffL;
    }

    @Override
    boolean greater(long a, long b) {
      return Float.intBitsToFloat((int) a) > Float.intBitsToFloat((int) b);
    }

    @Override
    int bytes() {
      return 4;
    }
  }

  private static final class Double64 extends Arithmetic {
    @Override
    long add(long a, long b) {
      return Double.doubleToRawLongBits(Double.longBitsToDouble(a) + Double.longBitsToDouble(b));
    }

    @Override
    boolean greater(long a, long b) {
      return Double.longBitsToDouble(a) > Double.longBitsToDouble(b);
    }

    @Override
    int bytes() {
      return 8;
    }
  }

  private static final class Complex extends Arithmetic {
    private static float real(long bits) {
      return Float.intBitsToFloat((int) bits);
    }

    private static float imaginary(long bits) {
      return Float.intBitsToFloat((int) (bits >>> 32));
    }

    @Override
    long add(long a, long b) {
      return Inputs.complex(real(a) + real(b), imaginary(a) + imaginary(b));
    }

    @Override
    boolean greater(long a, long b) {
      return real(a) > real(b) || real(a) == real(b) && imaginary(a) > imaginary(b);
    }

    @Override
    int bytes() {
      return 8;
    }
  }
}
