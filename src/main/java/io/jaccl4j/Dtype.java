package io.jaccl4j;

/**
 * Element types, with MLX's names, ids and order.
 *
 * <p>Elements lie densely in a buffer in little-endian order. {@code COMPLEX64} is two {@code
 * FLOAT32}, real part first.
 */
public enum Dtype {
  BOOL(1),
  INT8(1),
  INT16(2),
  INT32(4),
  INT64(8),
  UINT8(1),
  UINT16(2),
  UINT32(4),
  UINT64(8),
  FLOAT16(2),
  BFLOAT16(2),
  FLOAT32(4),
  FLOAT64(8),
  COMPLEX64(8);

  private final int bytes;

  Dtype(int bytes) {
    this.bytes = bytes;
  }

  /** Size of one element in bytes. */
  public int bytes() {
    return bytes;
  }

  /** JACCL's numeric id of this type. */
  public int id() {
    return ordinal();
  }
}
