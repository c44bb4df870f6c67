package io.jaccl4j.testing;

import io.jaccl4j.Dtype;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

/** Elements, as bits, at which kernels may go wrong. */
public final class SpecialElements {
  private static final long[] INTEGERS_8 = {0, 1, 2, 3, 0x7E, 0x7F, 0x80, 0x81, 0xFE, 0xFF};

  /** Zeros, ones, smallest and largest denormal and normal numbers, infinities, NaNs. */
  private static final long[] FLOATS_16 = {
    0x0000, 0x8000, 0x3C00, 0xBC00, 0x0001, 0x8001, 0x03FF, 0x83FF, 0x0400, 0x8400, 0x7BFF, 0xFBFF,
    0x7C00, 0xFC00, 0x7C01, 0xFC01, 0x7DFF, 0x7E00, 0xFE00, 0x7E01, 0x7FFF, 0xFFFF, 0x1000, 0x9000
  };

  private static final long[] BFLOATS_16 = {
    0x0000, 0x8000, 0x3F80, 0xBF80, 0x0001, 0x8001, 0x007F, 0x807F, 0x0080, 0x8080, 0x7F7F, 0xFF7F,
    0x7F80, 0xFF80, 0x7F81, 0xFF81, 0x7FBF, 0x7FC0, 0xFFC0, 0x7FC1, 0x7FFF, 0xFFFF, 0x3B80, 0xBB80
  };

  private static final long[] FLOATS_32 = {
    0x0000_0000L, 0x8000_0000L, 0x3F80_0000L, 0xBF80_0000L, 0x0000_0001L, 0x8000_0001L,
    0x007F_FFFFL, 0x807F_FFFFL, 0x0080_0000L, 0x8080_0000L, 0x7F7F_FFFFL, 0xFF7F_FFFFL,
    0x7F80_0000L, 0xFF80_0000L, 0x7F80_0001L, 0xFF80_0001L, 0x7FBF_FFFFL, 0x7FC0_0000L,
    0xFFC0_0000L, 0x7FC0_0001L, 0x7FFF_FFFFL, 0xFFFF_FFFFL, 0x3F80_0001L, 0x4B80_0000L
  };

  private static final long[] FLOATS_64 = {
    0x0000_0000_0000_0000L, 0x8000_0000_0000_0000L, 0x3FF0_0000_0000_0000L, 0xBFF0_0000_0000_0000L,
    0x0000_0000_0000_0001L, 0x8000_0000_0000_0001L, 0x000F_FFFF_FFFF_FFFFL, 0x800F_FFFF_FFFF_FFFFL,
    0x0010_0000_0000_0000L, 0x8010_0000_0000_0000L, 0x7FEF_FFFF_FFFF_FFFFL, 0xFFEF_FFFF_FFFF_FFFFL,
    0x7FF0_0000_0000_0000L, 0xFFF0_0000_0000_0000L, 0x7FF0_0000_0000_0001L, 0xFFF0_0000_0000_0001L,
    0x7FF7_FFFF_FFFF_FFFFL, 0x7FF8_0000_0000_0000L, 0xFFF8_0000_0000_0000L, 0x7FF8_0000_0000_0001L,
    0x7FFF_FFFF_FFFF_FFFFL, 0xFFFF_FFFF_FFFF_FFFFL, 0x3FF0_0000_0000_0001L, 0x4340_0000_0000_0000L
  };

  private SpecialElements() {}

  /** The special elements of a type. */
  public static long[] of(Dtype dtype) {
    return switch (dtype) {
      case BOOL -> new long[] {0, 1};
      case INT8, UINT8 -> INTEGERS_8.clone();
      case INT16, UINT16 -> integers(16);
      case INT32, UINT32 -> integers(32);
      case INT64, UINT64 -> integers(64);
      case FLOAT16 -> FLOATS_16.clone();
      case BFLOAT16 -> BFLOATS_16.clone();
      case FLOAT32 -> FLOATS_32.clone();
      case FLOAT64 -> FLOATS_64.clone();
      case COMPLEX64 ->
          Arrays.stream(FLOATS_32)
              .flatMap(real -> Arrays.stream(FLOATS_32).map(imaginary -> imaginary << 32 | real))
              .toArray();
    };
  }

  /** A random element, every bit pattern of the type as likely as any other. */
  public static long random(Dtype dtype, SplittableRandom random) {
    return dtype == Dtype.BOOL
        ? random.nextInt(2)
        : random.nextLong() >>> (Long.SIZE - 8 * dtype.bytes());
  }

  private static long[] integers(int bits) {
    long sign = 1L << (bits - 1);
    long mask = -1L >>> (Long.SIZE - bits);
    return LongStream.of(
            0, 1, 2, 3, 0x80, 0xFF, sign, sign + 1, sign - 1, sign - 2, -1, -2, -3, 0x5555, 46341)
        .map(value -> value & mask)
        .toArray();
  }
}
