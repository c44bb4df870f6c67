package io.jaccl4j.config.mlx;

import io.jaccl4j.ConfigurationException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Supplier;

/** Finds out which rank this machine is, by its addresses, where nobody has given it one. */
public final class OwnRank {

  /** Looks a host name or address up. */
  @FunctionalInterface
  public interface Resolver {
    List<InetAddress> resolve(String host) throws UnknownHostException;
  }

  private static final Duration LOOK_UP_PATIENCE = Duration.ofSeconds(2);

  private final Supplier<Set<InetAddress>> ownAddresses;
  private final Resolver resolver;

  /**
   * Finds by given means.
   *
   * @param ownAddresses the addresses of this machine
   */
  public OwnRank(Supplier<Set<InetAddress>> ownAddresses, Resolver resolver) {
    this.ownAddresses = ownAddresses;
    this.resolver = resolver;
  }

  /**
   * Finds by the addresses that the network interfaces of this machine have now. Names that the
   * system's resolver has not found within two seconds are unknown.
   */
  public static OwnRank ofThisMachine() {
    return new OwnRank(
        OwnRank::interfaceAddresses,
        new BoundedResolver(
            host -> Arrays.asList(InetAddress.getAllByName(host)), LOOK_UP_PATIENCE));
  }

  /**
   * The rank that is given, or else the one whose host this machine is.
   *
   * @param given this rank, where somebody has said it
   * @param hostsByRank the names or addresses of each rank's machine
   * @param origin where these were set, for complaints
   * @throws ConfigurationException if the given one is out of range, or none is given and this
   *     machine is none of them, or several
   */
  public int of(OptionalInt given, List<List<String>> hostsByRank, String origin) {
    if (given.isEmpty()) {
      return among(hostsByRank, origin);
    }
    int rank = given.getAsInt();
    if (rank < 0 || rank >= hostsByRank.size()) {
      throw new ConfigurationException(
          "%s: rank is %d, want 0 to %d, one of the %d hosts there"
              .formatted(origin, rank, hostsByRank.size() - 1, hostsByRank.size()));
    }
    return rank;
  }

  /**
   * The rank whose host this machine is.
   *
   * @param hostsByRank the names or addresses of each rank's machine
   * @param origin where these were set, for complaints
   * @throws ConfigurationException if it is none of them, or several
   */
  public int among(List<List<String>> hostsByRank, String origin) {
    Set<InetAddress> own = ownAddresses.get();
    List<Integer> ranks = new ArrayList<>();
    Set<String> unknown = new LinkedHashSet<>();
    for (int rank = 0; rank < hostsByRank.size(); rank++) {
      if (isOwn(hostsByRank.get(rank), own, unknown)) {
        ranks.add(rank);
      }
    }
    if (ranks.size() > 1) {
      throw new ConfigurationException(
          origin + ": ranks " + ranks + " are all on this machine, so give this one its rank");
    }
    if (ranks.isEmpty()) {
      throw new ConfigurationException(
          origin
              + ": no rank has an address of this machine ("
              + String.join(", ", own.stream().map(InetAddress::getHostAddress).sorted().toList())
              + ")"
              + (unknown.isEmpty() ? "" : ", and these hosts are unknown: " + unknown)
              + "; give this one its rank, or correct the hosts "
              + hostsByRank);
    }
    return ranks.getFirst();
  }

  /** Whether a host name or address is one of this machine's; not if it is unknown here. */
  public boolean isHere(String host) {
    return isOwn(List.of(host), ownAddresses.get(), new LinkedHashSet<>());
  }

  private boolean isOwn(List<String> hosts, Set<InetAddress> own, Set<String> unknown) {
    for (String host : hosts) {
      try {
        for (InetAddress address : resolver.resolve(host)) {
          if (own.contains(address) || address.isLoopbackAddress() || address.isAnyLocalAddress()) {
            return true;
          }
        }
      } catch (UnknownHostException _) {
        unknown.add(host);
      }
    }
    return false;
  }

  private static Set<InetAddress> interfaceAddresses() {
    try {
      Set<InetAddress> addresses = new LinkedHashSet<>();
      NetworkInterface.networkInterfaces()
          .flatMap(NetworkInterface::inetAddresses)
          .forEach(addresses::add);
      return addresses;
    } catch (SocketException e) {
      throw new ConfigurationException(
          "this machine's addresses cannot be listed (" + e + "); give this one its rank", e);
    }
  }
}
