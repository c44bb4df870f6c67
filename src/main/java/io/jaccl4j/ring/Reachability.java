package io.jaccl4j.ring;

import io.jaccl4j.FormationException;
import io.jaccl4j.FormationException.Reason;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.List;
import java.util.function.Predicate;

/**
 * Refuses addresses by which neighbours cannot possibly reach each other, before a deadline has to
 * tell: a loopback address for a neighbour elsewhere, or an address that more than one host has,
 * such as that of a container bridge.
 */
final class Reachability {
  private final RingHosts hosts;
  private final int rank;
  private final Predicate<InetAddress> isLocal;

  /**
   * @param isLocal whether this host has an address
   */
  Reachability(RingHosts hosts, int rank, Predicate<InetAddress> isLocal) {
    this.hosts = hosts;
    this.rank = rank;
    this.isLocal = isLocal;
  }

  /** Whether an interface of this host has the address. */
  static boolean isOnThisHost(InetAddress address) {
    try {
      return address.isLoopbackAddress()
          || address.isAnyLocalAddress()
          || NetworkInterface.getByInetAddress(address) != null;
    } catch (SocketException e) {
      throw new FormationException(
          Reason.FABRIC,
          "the network interfaces of this host cannot be read: " + e.getMessage(),
          e);
    }
  }

  void check() {
    int left = Side.LEFT.of(rank, hosts.size());
    int right = Side.RIGHT.of(rank, hosts.size());
    InetSocketAddress leftElsewhere = elsewhere(left);
    for (InetSocketAddress own : hosts.rows().get(rank)) {
      if (own.getAddress().isLoopbackAddress() && leftElsewhere != null) {
        throw new FormationException(
            Reason.FABRIC,
            "address "
                + RingHosts.text(own)
                + " of rank "
                + rank
                + " is a loopback address, which rank "
                + left
                + " at "
                + RingHosts.text(leftElsewhere)
                + " on another host cannot reach; give an address of this host's network");
      }
    }
    InetSocketAddress rightElsewhere = elsewhere(right);
    for (InetSocketAddress address : hosts.rows().get(right)) {
      if (rightElsewhere != null && isLocal.test(address.getAddress())) {
        throw new FormationException(
            Reason.FABRIC,
            "address "
                + RingHosts.text(address)
                + " of rank "
                + right
                + " is an address of this host, too, but that rank is on another host: it also has "
                + RingHosts.text(rightElsewhere)
                + "; leave out addresses that several hosts have, such as those of container"
                + " bridges");
      }
    }
  }

  private InetSocketAddress elsewhere(int of) {
    List<InetSocketAddress> row = hosts.rows().get(of);
    return row.stream()
        .filter(address -> !isLocal.test(address.getAddress()))
        .findFirst()
        .orElse(null);
  }
}
