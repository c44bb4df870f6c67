package io.jaccl4j.fabric.verbs;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;

/**
 * One entry of a port's GID table.
 *
 * @param index where in the table
 * @param bytes 16 bytes in network order
 * @param type as the kernel names it, for instance {@code RoCE v2}; empty if unknown
 * @param interfaceName network interface, empty if unknown
 */
record Gid(int index, byte[] bytes, String type, String interfaceName) {
  static final int BYTES = 16;
  private static final int MAPPED_PREFIX_BYTES = 12;

  static byte[] read(MemorySegment gid) {
    return gid.asSlice(0, BYTES).toArray(ValueLayout.JAVA_BYTE);
  }

  boolean isZero() {
    for (byte b : bytes) {
      if (b != 0) {
        return false;
      }
    }
    return true;
  }

  /** {@code ::ffff:a.b.c.d}. */
  boolean isMappedIpv4() {
    for (int i = 0; i < MAPPED_PREFIX_BYTES - 2; i++) {
      if (bytes[i] != 0) {
        return false;
      }
    }
    return bytes[10] == (byte) 0xFF && bytes[11] == (byte) 0xFF;
  }

  /** {@code fe80::/10}. */
  boolean isLinkLocal() {
    return bytes[0] == (byte) 0xFE && (bytes[1] & 0xC0) == 0x80;
  }

  /** Its address as people write it. */
  String address() {
    return address(bytes);
  }

  static String address(byte[] bytes) {
    try {
      // Four bytes for a mapped address, so that it reads as the IPv4 address it is.
      return InetAddress.getByAddress(bytes).getHostAddress();
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException("a GID has 16 bytes, got " + bytes.length, e);
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Gid gid
        && gid.index == index
        && Arrays.equals(gid.bytes, bytes)
        && gid.type.equals(type)
        && gid.interfaceName.equals(interfaceName);
  }

  @Override
  public int hashCode() {
    return 31 * index + Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return index + ": " + address() + (type.isEmpty() ? "" : " (" + type + ")");
  }
}
