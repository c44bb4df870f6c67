package io.jaccl4j.cluster;

import java.security.SecureRandom;
import java.util.HexFormat;

/** Names that nobody else will choose. */
final class Tokens {

  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int BYTES = 16;

  private Tokens() {}

  /** 128 random bits in hex. */
  static String next() {
    byte[] bits = new byte[BYTES];
    RANDOM.nextBytes(bits);
    return HexFormat.of().formatHex(bits);
  }
}
