package io.jaccl4j;

/**
 * Element types, with MLX's names, ids and order.
 *
 * <p>Elements lie densely in a buffer in little-endian order. {@code COMPLEX64} is two {@code
 * FLOAT32}, real part first.
 */
public enum Dtype {
  /** One byte, 0 or 1. */
  BOOL(1),
  /** Signed, 8 bits. */
  INT8(1),
  /** Signed, 16 bits. */
  INT16(2),
  /** Signed, 32 bits. */
  INT32(4),
  /** Signed, 64 bits. */
  INT64(8),
  /** Unsigned, 8 bits. */
  UINT8(1),
  /** Unsigned, 16 bits. */
  UINT16(2),
  /** Unsigned, 32 bits. */
  UINT32(4),
  /** Unsigned, 64 bits. */
  UINT64(8),
  /** IEEE 754 half precision. */
  FLOAT16(2),
  /** The upper half of a {@link #FLOAT32}. */
  BFLOAT16(2),
  /** IEEE 754 single precision. */
  FLOAT32(4),
  /** IEEE 754 double precision. */
  FLOAT64(8),
  /** Two {@link #FLOAT32}: real part, imaginary part. */
  COMPLEX64(8);

  private final int bytes;

  Dtype(int bytes) {
    this.bytes = bytes;
  }

  /** {@return the size of one element in bytes} */
  public int bytes() {
    return bytes;
  }

  /** {@return JACCL's numeric id of this type} */
  public int id() {
    return ordinal();
  }
}
