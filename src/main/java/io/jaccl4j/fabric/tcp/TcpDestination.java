package io.jaccl4j.fabric.tcp;

import io.jaccl4j.fabric.FabricException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * What a rank tells its peers: where it listens, and the token that proves that whoever connects
 * has read this.
 *
 * <pre>
 * 0    version    int8
 * 1    token      16 bytes
 * 17   count      int8
 * 18   endpoints  each: port uint16, address length int8, address
 * </pre>
 */
record TcpDestination(byte[] token, List<InetSocketAddress> endpoints) {
  static final byte VERSION = 1;
  static final int TOKEN_BYTES = 16;

  private static final int LONGEST_ADDRESS_BYTES = 16;

  byte[] encode() {
    ByteBuffer buffer =
        ByteBuffer.allocate(
            2 + TOKEN_BYTES + endpoints.size() * (Short.BYTES + 1 + LONGEST_ADDRESS_BYTES));
    buffer.put(VERSION).put(token).put((byte) endpoints.size());
    for (InetSocketAddress endpoint : endpoints) {
      byte[] address = endpoint.getAddress().getAddress();
      buffer.putShort((short) endpoint.getPort()).put((byte) address.length).put(address);
    }
    byte[] bytes = new byte[buffer.flip().remaining()];
    buffer.get(bytes);
    return bytes;
  }

  static TcpDestination decode(int rank, byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    try {
      byte version = buffer.get();
      if (version != VERSION) {
        throw new FabricException(
            rank,
            "destination of rank "
                + rank
                + " has version "
                + version
                + ", want "
                + VERSION
                + "; run the same version on all ranks",
            null);
      }
      byte[] token = new byte[TOKEN_BYTES];
      buffer.get(token);
      int count = buffer.get() & 0xFF;
      List<InetSocketAddress> endpoints = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        int port = buffer.getShort() & 0xFFFF;
        byte[] address = new byte[Math.min(buffer.get() & 0xFF, LONGEST_ADDRESS_BYTES)];
        buffer.get(address);
        endpoints.add(new InetSocketAddress(InetAddress.getByAddress(address), port));
      }
      return new TcpDestination(token, endpoints);
    } catch (BufferUnderflowException | UnknownHostException e) {
      throw new FabricException(
          rank, "destination of rank " + rank + " is damaged, " + bytes.length + " bytes", e);
    }
  }
}
