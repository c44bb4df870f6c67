package io.jaccl4j.sidechannel;

import java.net.InetSocketAddress;
import java.net.SocketAddress;

/** Addresses for people. */
final class SocketText {
  private SocketText() {}

  /** {@code host:port}, an IPv6 address in brackets, no look-up. */
  static String of(SocketAddress address) {
    if (!(address instanceof InetSocketAddress inet)) {
      return String.valueOf(address);
    }
    String host = inet.isUnresolved() ? inet.getHostString() : inet.getAddress().getHostAddress();
    return host.contains(":") ? "[" + host + "]:" + inet.getPort() : host + ":" + inet.getPort();
  }
}
