package io.jaccl4j.init;

import io.jaccl4j.ConfigurationException;
import io.jaccl4j.FormationException;
import io.jaccl4j.FormationException.Reason;
import io.jaccl4j.Group;
import io.jaccl4j.GroupMember;
import io.jaccl4j.GroupSettings;
import io.jaccl4j.config.mlx.HostPort;
import io.jaccl4j.config.mlx.RingConfiguration;
import io.jaccl4j.ring.MlxRing;
import io.jaccl4j.ring.RingHosts;
import io.jaccl4j.ring.RingOptions;
import io.jaccl4j.sidechannel.HostLookup;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Forms MLX's TCP ring. With a key all ranks are of this library, and the ring has its extensions.
 */
final class RingStart {
  private RingStart() {}

  static Group form(RingConfiguration configuration, GroupSettings settings, Optional<byte[]> key) {
    long untilNanos = System.nanoTime() + settings.formationTimeout().toNanos();
    RingHosts hosts = hosts(configuration, untilNanos);
    RingOptions options =
        RingOptions.of(Duration.ofNanos(leftNanos(untilNanos)), settings.operationTimeout())
            .withVerbose(configuration.verbose());
    if (key.isPresent()) {
      options = options.withKey(key.get()).withExtensions(true);
    }
    return new RingGroup(
        MlxRing.connect(hosts, configuration.rank(), options), members(configuration));
  }

  private static long leftNanos(long untilNanos) {
    return Math.max(1, untilNanos - System.nanoTime());
  }

  private static RingHosts hosts(RingConfiguration configuration, long untilNanos) {
    try {
      List<List<InetSocketAddress>> rows = new ArrayList<>();
      for (List<HostPort> row : configuration.hosts().addresses()) {
        int rank = rows.size();
        rows.add(row.stream().map(address -> resolved(rank, address, untilNanos)).toList());
      }
      return new RingHosts(rows);
    } catch (IllegalArgumentException e) {
      throw new ConfigurationException(e.getMessage(), e);
    }
  }

  /** As it is if nobody knows its name, which {@link RingHosts} refuses with all it knows. */
  private static InetSocketAddress resolved(int rank, HostPort address, long untilNanos) {
    InetSocketAddress named = InetSocketAddress.createUnresolved(address.host(), address.port());
    try {
      return HostLookup.lookUp(named, leftNanos(untilNanos)).getFirst();
    } catch (UnknownHostException e) {
      return named;
    } catch (IOException e) {
      throw new FormationException(
          Reason.TIMEOUT,
          "ring hosts: address %s of rank %d: %s; correct the name, use a numeric address or mend the resolver"
              .formatted(address, rank, e.getMessage()),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new FormationException(
          Reason.STOPPED,
          "ring hosts: interrupted while address %s of rank %d was looked up"
              .formatted(address, rank),
          e);
    }
  }

  private static List<GroupMember> members(RingConfiguration configuration) {
    List<GroupMember> members = new ArrayList<>();
    for (List<HostPort> row : configuration.hosts().addresses()) {
      HostPort first = row.getFirst();
      members.add(new GroupMember(members.size(), first.toString(), 0, first.host()));
    }
    return members;
  }
}
