package io.jaccl4j.interop;

import io.jaccl4j.Dtype;

/** The sequence's input elements as raw bits, by index and rank. */
enum Inputs {
  /** Sums do not depend on the order. */
  EXACT {
    @Override
    long element(Dtype dtype, long i, int rank) {
      long k = Math.floorMod(7 * i + 13L * rank, 61L) - 30;
      return switch (dtype) {
        case BOOL -> (i + rank) % 3 == 0 ? 1 : 0;
        case UINT8 -> (7 * i + 13L * rank) & 0xff;
        case UINT16 -> (257 * i + 13L * rank) & 0xffff;
        case UINT32 -> (1_000_003 * i + 77L * rank) & 0xffffffffL;
        case UINT64 -> 1_000_000_007L * i + 77L * rank;
        case INT8, INT16 -> k;
        case INT32 -> (int) (k * 1_000_003 + i);
        case INT64 -> k * 1_000_000_007L + i;
        case FLOAT16 -> half(k / 4f);
        case BFLOAT16 -> brain(k / 4f);
        case FLOAT32 -> single(k / 4f);
        case FLOAT64 -> Double.doubleToRawLongBits(k / 4d);
        case COMPLEX64 -> complex(k / 4f, k == 0 ? 0f : -k / 2f);
      };
    }
  },

  /** Sums depend on the order. */
  ROUGH {
    @Override
    long element(Dtype dtype, long i, int rank) {
      int h = (int) (2_654_435_761L * i + 40_503L * rank + 12_345L);
      h ^= h >>> 16;
      h *= 0x85ebca6b;
      h ^= h >>> 13;
      h *= 0xc2b2ae35;
      h ^= h >>> 16;
      return switch (dtype) {
        case FLOAT32 -> single((float) h / 1_048_576f);
        case BFLOAT16 -> brain((float) h / 1_048_576f);
        case FLOAT16 -> half((float) (h >> 16) / 256f);
        default -> throw new IllegalArgumentException("no rough " + dtype);
      };
    }
  },

  /** Not-a-number and zeros of both signs. */
  SPECIAL {
    @Override
    long element(Dtype dtype, long i, int rank) {
      if (dtype != Dtype.FLOAT32 && dtype != Dtype.BFLOAT16) {
        throw new IllegalArgumentException("no special " + dtype);
      }
      boolean brain = dtype == Dtype.BFLOAT16;
      if (i % 8 == rank) {
        return brain ? 0x7fc0 : 0x7fc00000L;
      }
      float value =
          i % 16 == 15
              ? rank % 2 == 1 ? -0f : 0f
              : (Math.floorMod(7 * i + 13L * rank, 61L) - 30) / 4f;
      return brain ? brain(value) : single(value);
    }
  };

  abstract long element(Dtype dtype, long i, int rank);

  static long single(float value) {
    return Float.floatToRawIntBits(value) & 0xffffffffL;
  }

  static long half(float value) {
    return Float.floatToFloat16(value) & 0xffffL;
  }

  static long complex(float real, float imaginary) {
    return single(real) | single(imaginary) << 32;
  }

  /** Rounded to nearest even. */
  static long brain(float value) {
    int bits = Float.floatToRawIntBits(value);
    if (Float.isNaN(value)) {
      return bits >>> 16 | 0x40;
    }
    return (bits + 0x7fff + (bits >>> 16 & 1)) >>> 16 & 0xffffL;
  }
}
