package io.jaccl4j.cli.launch;

import io.jaccl4j.ConfigurationException;
import io.jaccl4j.config.mlx.DeviceFile;
import io.jaccl4j.config.mlx.LaunchHost;
import io.jaccl4j.config.mlx.LaunchHostfile;
import io.jaccl4j.config.mlx.RingHostfile;
import io.jaccl4j.topology.DeviceMatrix;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * All ranks of a launch, with what each is told. The variables are those of {@code mlx.launch}; a
 * rank that is alone gets its number only, and not the empty hostfile that {@code mlx.launch} gives
 * it, so that its group is one of itself.
 *
 * @param ranks in order
 */
public record LaunchPlan(List<RankPlan> ranks) {
  private static final String RANK = "MLX_RANK";
  private static final String HOSTFILE = "MLX_HOSTFILE";
  private static final String DEVICES = "MLX_IBV_DEVICES";
  private static final String COORDINATOR = "MLX_JACCL_COORDINATOR";
  private static final String PREFER_RING = "MLX_JACCL_RING";

  /** What decides which rank a process is: never inherited from the launcher's own environment. */
  static final Set<String> OWNED =
      Set.of(
          RANK,
          HOSTFILE,
          DEVICES,
          COORDINATOR,
          PREFER_RING,
          "JACCL_RANK",
          "JACCL_IBV_DEVICES",
          "JACCL_COORDINATOR",
          "JACCL_RING");

  public LaunchPlan {
    ranks = List.copyOf(ranks);
  }

  /**
   * Ranks on this machine.
   *
   * @throws ConfigurationException if it cannot be done; says what to change
   */
  public static LaunchPlan onThisMachine(int size, LaunchRequest request) {
    if (size < 1) {
      throw new ConfigurationException("number of ranks is " + size + ", want 1 or more");
    }
    LaunchBackend backend = request.backend().orElse(LaunchBackend.RING);
    if (backend == LaunchBackend.JACCL || backend == LaunchBackend.JACCL_RING) {
      throw new ConfigurationException(
          "backend "
              + backend
              + " needs the devices of each rank: give a hostfile with \"rdma\" rows");
    }
    List<RankFile> files =
        size == 1
            ? List.of()
            : List.of(
                ringFile(
                    RingHostfile.loopback(
                        size, request.connectionsPerIp(), request.startingPort())));
    List<RankPlan> ranks = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      ranks.add(rank(rank, Optional.empty(), Map.of(), Map.of(), files, request));
    }
    return new LaunchPlan(ranks);
  }

  /**
   * One rank on each host of a file.
   *
   * @param isThisMachine tells of the ssh name of a host whether it is this machine
   * @throws ConfigurationException if it cannot be done; names the file, and rank and host where
   *     one is at fault
   */
  public static LaunchPlan onHosts(
      Path file, LaunchRequest request, Predicate<String> isThisMachine) {
    LaunchHostfile hostfile = LaunchHostfile.read(file);
    try {
      return onHosts(hostfile, request, isThisMachine);
    } catch (ConfigurationException e) {
      throw new ConfigurationException(file + ": " + e.getMessage(), e);
    }
  }

  private static LaunchPlan onHosts(
      LaunchHostfile hostfile, LaunchRequest request, Predicate<String> isThisMachine) {
    LaunchBackend backend = request.backend().orElseGet(() -> chosen(hostfile));
    requireKnown(hostfile.environment(), "\"envs\"");
    int size = hostfile.hosts().size();
    boolean jaccl =
        switch (backend) {
          case RING -> false;
          case JACCL, JACCL_RING -> true;
          case ANY -> hostfile.hosts().stream().allMatch(host -> host.devices().isPresent());
        };
    Map<String, String> variables = new LinkedHashMap<>();
    List<RankFile> files = new ArrayList<>();
    if (size > 1 && (backend == LaunchBackend.RING || backend == LaunchBackend.ANY)) {
      files.add(ringFile(ring(hostfile, request)));
    }
    if (size > 1 && jaccl) {
      DeviceMatrix devices = hostfile.devices();
      devices.require(backend == LaunchBackend.JACCL_RING);
      files.add(new RankFile(DEVICES, "devices.json", DeviceFile.toJson(devices)));
      variables.put(COORDINATOR, hostfile.coordinator(request.startingPort()).toString());
      if (backend == LaunchBackend.JACCL_RING) {
        variables.put(PREFER_RING, "1");
      }
    }
    List<RankPlan> ranks = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      LaunchHost host = hostfile.hosts().get(rank);
      Optional<String> remote =
          isThisMachine.test(host.ssh())
              ? Optional.empty()
              : Optional.of(requireName(rank, host.ssh()));
      ranks.add(rank(rank, remote, variables, hostfile.environment(), files, request));
    }
    return new LaunchPlan(ranks);
  }

  private static RingHostfile ring(LaunchHostfile hostfile, LaunchRequest request) {
    RingHostfile ring = hostfile.ring(request.startingPort(), request.connectionsPerIp());
    int wanted = ring.addresses().getFirst().size();
    for (int rank = 1; rank < ring.size(); rank++) {
      if (ring.addresses().get(rank).size() != wanted) {
        throw new ConfigurationException(
            "host of rank %d (%s) has %d \"ips\", want %d as rank 0 has, for equally many connections"
                .formatted(
                    rank,
                    hostfile.hosts().get(rank).ssh(),
                    hostfile.hosts().get(rank).ips().size(),
                    hostfile.hosts().getFirst().ips().size()));
      }
    }
    return ring;
  }

  private static LaunchBackend chosen(LaunchHostfile hostfile) {
    try {
      return hostfile.backend().map(LaunchBackend::named).orElse(LaunchBackend.RING);
    } catch (IllegalArgumentException e) {
      throw new ConfigurationException(e.getMessage(), e);
    }
  }

  /** A name that ssh would take for an option could run anything here. */
  private static String requireName(int rank, String host) {
    if (host.startsWith("-") || host.chars().anyMatch(Character::isWhitespace)) {
      throw new ConfigurationException(
          "host of rank %d is \"%s\", want a name that ssh takes".formatted(rank, host));
    }
    return host;
  }

  private static void requireKnown(Map<String, String> environment, String origin) {
    for (String name : environment.keySet()) {
      if (OWNED.contains(name)) {
        throw new ConfigurationException(
            "%s of %s is set by the launcher; remove it".formatted(name, origin));
      }
    }
  }

  private static RankFile ringFile(RingHostfile ring) {
    return new RankFile(HOSTFILE, "hostfile.json", ring.toJson());
  }

  private static RankPlan rank(
      int rank,
      Optional<String> host,
      Map<String, String> variables,
      Map<String, String> ofFile,
      List<RankFile> files,
      LaunchRequest request) {
    requireKnown(request.environment(), "--env");
    Map<String, String> environment = new LinkedHashMap<>();
    environment.put(RANK, Integer.toString(rank));
    environment.putAll(variables);
    environment.putAll(ofFile);
    environment.putAll(request.environment());
    return new RankPlan(
        rank,
        host,
        environment,
        files,
        request.directory().or(() -> host.map(remote -> Path.of("").toAbsolutePath().toString())),
        request.directory().isPresent(),
        request.command());
  }
}
