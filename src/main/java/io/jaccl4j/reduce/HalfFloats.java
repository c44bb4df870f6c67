package io.jaccl4j.reduce;

/** The 16-bit float types as bits: conversions, infinities and canonical NaNs. */
public final class HalfFloats {
  public static final short BFLOAT16_INFINITY = 0x7F80;
  public static final short BFLOAT16_NAN = 0x7FC0;
  public static final short FLOAT16_INFINITY = 0x7C00;
  public static final short FLOAT16_NAN = 0x7E00;

  private HalfFloats() {}

  /** Exact. */
  public static float bfloat16ToFloat(short bits) {
    return Float.intBitsToFloat(bits << 16);
  }

  /** Rounds to nearest even; a NaN becomes the canonical one. */
  public static short floatToBfloat16(float value) {
    if (Float.isNaN(value)) {
      return BFLOAT16_NAN;
    }
    int bits = Float.floatToRawIntBits(value);
    return (short) ((bits + 0x7FFF + ((bits >>> 16) & 1)) >>> 16);
  }

  /** Rounds to nearest even; a NaN becomes the canonical one. */
  public static short floatToFloat16(float value) {
    return Float.isNaN(value) ? FLOAT16_NAN : Float.floatToFloat16(value);
  }
}
