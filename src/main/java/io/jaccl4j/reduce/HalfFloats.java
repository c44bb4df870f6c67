package io.jaccl4j.reduce;

/** Conversions of bfloat16, as bits, and the canonical NaNs of the 16-bit float types. */
final class HalfFloats {
  static final short BFLOAT16_NAN = (short) 0x7FC0;
  static final short FLOAT16_NAN = (short) 0x7E00;

  private HalfFloats() {}

  static float bfloat16ToFloat(short bits) {
    return Float.intBitsToFloat(bits << 16);
  }

  /** Rounds to nearest even; a NaN becomes the canonical one. */
  static short floatToBfloat16(float value) {
    if (Float.isNaN(value)) {
      return BFLOAT16_NAN;
    }
    int bits = Float.floatToRawIntBits(value);
    return (short) ((bits + 0x7FFF + ((bits >>> 16) & 1)) >>> 16);
  }

  /** Rounds to nearest even; a NaN becomes the canonical one. */
  static short floatToFloat16(float value) {
    return Float.isNaN(value) ? FLOAT16_NAN : Float.floatToFloat16(value);
  }
}
