package io.jaccl4j.fabric.verbs;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Which GID a port is addressed by. An IPv4 address first, RoCE v2 before other types, then a
 * routable IPv6 address, then a link-local one; among equals the one with the lowest index. JACCL
 * takes the first IPv4 address, which is the same unless a port has RoCE v1 entries.
 */
final class GidChoice {
  private static final String ROCE_V1 = "RoCE v1";
  private static final String IB_ROCE_V1 = "IB/RoCE v1";

  private GidChoice() {}

  /**
   * Chooses.
   *
   * @param fixedIndex the index that is configured, or empty
   */
  static Optional<Gid> choose(List<Gid> table, OptionalInt fixedIndex) {
    return table.stream()
        .filter(gid -> !gid.isZero())
        .filter(gid -> fixedIndex.isEmpty() || gid.index() == fixedIndex.getAsInt())
        .min(Comparator.comparingInt(GidChoice::rank).thenComparingInt(Gid::index));
  }

  /** Whether waiting may bring a better one: a port's IPv4 address can come late. */
  static boolean isFinal(Gid gid, OptionalInt fixedIndex) {
    return fixedIndex.isPresent() || gid.isMappedIpv4();
  }

  private static int rank(Gid gid) {
    int address = gid.isMappedIpv4() ? 0 : gid.isLinkLocal() ? 2 : 1;
    boolean old = gid.type().equals(ROCE_V1) || gid.type().equals(IB_ROCE_V1);
    return 2 * address + (old ? 1 : 0);
  }
}
