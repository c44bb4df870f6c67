package io.jaccl4j.config.mlx;

import java.util.HashMap;
import java.util.Map;

/** The addresses of one file: well-formed, and each of one rank alone. */
final class HostAddresses {
  private final Map<HostPort, Integer> rankOf = new HashMap<>();

  /** The address that an item holds. */
  HostPort read(JsonItem item, int rank) {
    String text = item.asText("address of rank " + rank, "text such as \"10.0.0.1:5000\"");
    HostPort address;
    try {
      address = HostPort.parse(text);
    } catch (IllegalArgumentException e) {
      throw item.error("rank " + rank + ": " + e.getMessage());
    }
    Integer other = rankOf.putIfAbsent(address.normalized(), rank);
    if (other != null) {
      throw item.error(
          "rank %d: address %s is there twice, first for rank %d".formatted(rank, address, other));
    }
    return address;
  }
}
