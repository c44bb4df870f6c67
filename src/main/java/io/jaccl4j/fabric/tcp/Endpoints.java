package io.jaccl4j.fabric.tcp;

import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.stream.Collectors;

/** Addresses with ports in messages for people. */
final class Endpoints {
  private Endpoints() {}

  static String describe(SocketAddress address) {
    if (!(address instanceof InetSocketAddress inet) || inet.getAddress() == null) {
      return String.valueOf(address);
    }
    String host = inet.getAddress().getHostAddress();
    return (inet.getAddress() instanceof Inet6Address ? "[" + host + "]" : host)
        + ":"
        + inet.getPort();
  }

  static String describe(List<? extends SocketAddress> addresses) {
    return addresses.stream().map(Endpoints::describe).collect(Collectors.joining(", "));
  }
}
