package io.jaccl4j.init;

import io.jaccl4j.ConfigurationException;
import io.jaccl4j.Group;
import io.jaccl4j.GroupMember;
import io.jaccl4j.GroupSettings;
import io.jaccl4j.config.mlx.HostPort;
import io.jaccl4j.config.mlx.RingConfiguration;
import io.jaccl4j.ring.MlxRing;
import io.jaccl4j.ring.RingHosts;
import io.jaccl4j.ring.RingOptions;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Forms MLX's TCP ring. With a key all ranks are of this library, and the ring has its extensions.
 */
final class RingStart {
  private RingStart() {}

  static Group form(RingConfiguration configuration, GroupSettings settings, Optional<byte[]> key) {
    RingOptions options =
        RingOptions.of(settings.formationTimeout(), settings.operationTimeout())
            .withVerbose(configuration.verbose());
    if (key.isPresent()) {
      options = options.withKey(key.get()).withExtensions(true);
    }
    RingHosts hosts = hosts(configuration);
    return new RingGroup(
        MlxRing.connect(hosts, configuration.rank(), options), members(configuration));
  }

  private static RingHosts hosts(RingConfiguration configuration) {
    try {
      return new RingHosts(
          configuration.hosts().addresses().stream()
              .map(row -> row.stream().map(RingStart::resolved).toList())
              .toList());
    } catch (IllegalArgumentException e) {
      throw new ConfigurationException(e.getMessage(), e);
    }
  }

  private static InetSocketAddress resolved(HostPort address) {
    return new InetSocketAddress(address.host(), address.port());
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
