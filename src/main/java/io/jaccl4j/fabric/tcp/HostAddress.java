package io.jaccl4j.fabric.tcp;

import io.jaccl4j.fabric.FabricException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * An address of this machine.
 *
 * @param interfaceName the interface that has it
 */
record HostAddress(String interfaceName, InetAddress address) {

  /** All addresses of interfaces that are up, IPv4 first: what people read and firewalls know. */
  static List<HostAddress> present() {
    List<HostAddress> present = new ArrayList<>();
    try {
      for (NetworkInterface networkInterface : NetworkInterface.networkInterfaces().toList()) {
        if (networkInterface.isUp()) {
          networkInterface
              .inetAddresses()
              .forEach(
                  address -> present.add(new HostAddress(networkInterface.getName(), address)));
        }
      }
    } catch (SocketException e) {
      throw new FabricException(
          "cannot list the network interfaces of this machine: " + SocketFailure.describe(e), e);
    }
    present.sort(Comparator.comparing(candidate -> candidate.address() instanceof Inet6Address));
    return present;
  }

  boolean isLoopback() {
    return address.isLoopbackAddress();
  }

  /** A link-local IPv6 address says nothing without its interface, which a peer cannot know. */
  boolean isMeaningfulToPeers() {
    return !(address instanceof Inet6Address && address.isLinkLocalAddress());
  }

  @Override
  public String toString() {
    return interfaceName + " " + address.getHostAddress();
  }
}
