package io.jaccl4j.fabric.tcp;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * What is in front of every message. Little-endian.
 *
 * <pre>
 * 0    bytes       int32   of payload, or -1: a farewell, nothing follows
 * 4    immediate   int32
 * </pre>
 */
final class Frame {
  static final int HEADER_BYTES = 8;
  static final int BYTES_OFFSET = 0;
  static final int IMMEDIATE_OFFSET = 4;

  /** In the place of a length: the sender has closed its group in good order. */
  static final int FAREWELL = -1;

  /**
   * Up to so much of a message travels with its header in one system call, at the price of a copy;
   * the rest is written from and read into its place.
   */
  static final int BUFFER_BYTES = 16 * 1024 + 64;

  static final ValueLayout.OfInt INT = JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private Frame() {}
}
