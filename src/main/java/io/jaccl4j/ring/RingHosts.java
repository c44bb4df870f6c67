package io.jaccl4j.ring;

import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Where the ranks of a ring accept their left neighbours: MLX's hostfile, parsed and resolved. Row
 * {@code r} has the addresses of rank {@code r}, one per connection between neighbours; every row
 * has as many.
 *
 * @param rows addresses by rank and connection
 */
public record RingHosts(List<List<InetSocketAddress>> rows) {

  /**
   * @throws IllegalArgumentException if no ring can be made of it; the message names rank and
   *     address
   */
  public RingHosts {
    rows = rows.stream().map(List::copyOf).toList();
    if (rows.isEmpty()) {
      throw new IllegalArgumentException("ring hosts: there are no ranks, want one row per rank");
    }
    int connections = rows.getFirst().size();
    Map<InetSocketAddress, Integer> owners = new HashMap<>();
    for (int rank = 0; rank < rows.size(); rank++) {
      List<InetSocketAddress> row = rows.get(rank);
      if (row.isEmpty()) {
        throw new IllegalArgumentException(
            "ring hosts: rank " + rank + " has no address, want one per connection");
      }
      if (row.size() != connections) {
        throw new IllegalArgumentException(
            "ring hosts: rank "
                + rank
                + " has "
                + row.size()
                + " addresses and rank 0 has "
                + connections
                + "; as many connections to the left as to the right are needed, so give every"
                + " rank as many addresses");
      }
      for (InetSocketAddress address : row) {
        check(rank, address, owners.putIfAbsent(address, rank));
      }
    }
  }

  private static void check(int rank, InetSocketAddress address, Integer owner) {
    String where = "ring hosts: address " + text(address) + " of rank " + rank;
    if (address.isUnresolved()) {
      throw new IllegalArgumentException(
          where + " cannot be resolved; correct the name or use a numeric address");
    }
    if (address.getPort() == 0) {
      throw new IllegalArgumentException(where + " has port 0, want 1 to 65535");
    }
    if (owner != null) {
      throw new IllegalArgumentException(
          where
              + " is also an address of rank "
              + owner
              + ": no connection could tell the two apart; give each its own host or port");
    }
  }

  /** Number of ranks. */
  public int size() {
    return rows.size();
  }

  /** Connections between two neighbours. */
  public int connections() {
    return rows.getFirst().size();
  }

  /** Where a rank accepts its left neighbour's connection of this number. */
  public InetSocketAddress address(int rank, int connection) {
    return rows.get(rank).get(connection);
  }

  /** {@code rank 2 (10.0.0.2:5000)}, by the rank's first address. */
  String describe(int rank) {
    return "rank " + rank + " (" + text(address(rank, 0)) + ")";
  }

  /** The address as it is written in a hostfile. */
  static String text(InetSocketAddress address) {
    if (address.isUnresolved()) {
      return address.getHostString() + ":" + address.getPort();
    }
    String host = address.getAddress().getHostAddress();
    return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + address.getPort();
  }
}
