package io.jaccl4j.config.mlx;

import io.jaccl4j.ConfigurationException;
import io.jaccl4j.topology.DeviceMatrix;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A hostfile of {@code mlx.launch}: a list of hosts {@code {"ssh": …, "ips": […], "rdma": […]}}, or
 * an object {@code {"backend": …, "envs": […], "hosts": […]}} around it. Other members are ignored,
 * as {@code mlx.launch} does.
 *
 * @param backend as the file names it, in MLX's words
 * @param environment variables for every rank
 * @param hosts by rank
 */
public record LaunchHostfile(
    Optional<String> backend, Map<String, String> environment, List<LaunchHost> hosts) {

  /** The first port that {@code mlx.launch} uses unless it is told another. */
  public static final int DEFAULT_STARTING_PORT = 32323;

  private static final String WANT =
      "a list of hosts, such as [{\"ssh\": \"a\", \"ips\": [\"10.0.0.1\"], \"rdma\": [null, …]}, …],"
          + " or an object with the list as \"hosts\"";
  private static final Pattern VARIABLE =
      Pattern.compile("([A-Za-z_][A-Za-z0-9_]*)(?:=(.*))?", Pattern.DOTALL);

  public LaunchHostfile {
    environment = Collections.unmodifiableMap(new LinkedHashMap<>(environment));
    hosts = List.copyOf(hosts);
  }

  /**
   * Reads a file.
   *
   * @throws ConfigurationException if it is none; names file, line, column and rank
   */
  public static LaunchHostfile read(Path file) {
    return hostfile(JsonDocument.read(file, WANT));
  }

  /**
   * Reads a text.
   *
   * @param origin what to call it in complaints
   */
  public static LaunchHostfile parse(String text, String origin) {
    return hostfile(JsonDocument.parse(text, origin, WANT));
  }

  private static LaunchHostfile hostfile(JsonItem root) {
    if (!root.is(JsonItem.Kind.OBJECT)) {
      return new LaunchHostfile(
          Optional.empty(), Map.of(), hosts(root, root.asList("the file", WANT)));
    }
    JsonItem hosts = root.members().get("hosts");
    if (hosts == null) {
      throw root.error("no \"hosts\", want " + WANT);
    }
    return new LaunchHostfile(
        Optional.ofNullable(root.members().get("backend"))
            .filter(item -> !item.is(JsonItem.Kind.NULL))
            .map(item -> item.asText("\"backend\"", "a backend of MLX")),
        environment(root.members().get("envs")),
        hosts(hosts, hosts.asList("\"hosts\"", "a list of hosts")));
  }

  private static Map<String, String> environment(JsonItem envs) {
    Map<String, String> variables = new LinkedHashMap<>();
    if (envs == null || envs.is(JsonItem.Kind.NULL)) {
      return variables;
    }
    String want = "a list of NAME=VALUE";
    for (JsonItem item : envs.asList("\"envs\"", want)) {
      var matcher = VARIABLE.matcher(item.asText("item of \"envs\"", "NAME=VALUE"));
      if (!matcher.matches()) {
        throw item.error("\"" + item.text() + "\" in \"envs\" is no variable, want NAME=VALUE");
      }
      variables.put(matcher.group(1), Optional.ofNullable(matcher.group(2)).orElse(""));
    }
    return variables;
  }

  private static List<LaunchHost> hosts(JsonItem list, List<JsonItem> items) {
    if (items.isEmpty()) {
      throw list.error("the list of hosts is empty, want one for each rank");
    }
    List<LaunchHost> hosts = new ArrayList<>();
    Map<String, Integer> rankOf = new HashMap<>();
    for (int rank = 0; rank < items.size(); rank++) {
      hosts.add(host(items.get(rank), rank, items.size(), rankOf));
    }
    return hosts;
  }

  private static LaunchHost host(JsonItem item, int rank, int size, Map<String, Integer> rankOf) {
    Map<String, JsonItem> members =
        item.asObject("host of rank " + rank, "an object with \"ssh\" and \"ips\"");
    JsonItem ssh = members.get("ssh");
    if (ssh == null) {
      throw item.error("host of rank " + rank + " has no \"ssh\", want the name to reach it");
    }
    String name = ssh.asText("\"ssh\" of rank " + rank, "the name to reach it");
    if (name.isBlank()) {
      throw ssh.error("\"ssh\" of rank " + rank + " is blank, want the name to reach it");
    }
    JsonItem rdma = members.get("rdma");
    boolean hasDevices =
        rdma != null
            && !rdma.is(JsonItem.Kind.NULL)
            && !(rdma.is(JsonItem.Kind.LIST) && rdma.items().isEmpty());
    return new LaunchHost(
        name,
        ips(members.get("ips"), rank, rankOf),
        hasDevices ? Optional.of(DeviceFile.row(rdma, rank, size)) : Optional.empty());
  }

  private static List<String> ips(JsonItem ips, int rank, Map<String, Integer> rankOf) {
    List<String> hosts = new ArrayList<>();
    if (ips == null || ips.is(JsonItem.Kind.NULL)) {
      return hosts;
    }
    for (JsonItem item : ips.asList("\"ips\" of rank " + rank, "a list of addresses")) {
      String ip = item.asText("address of rank " + rank, "text such as \"10.0.0.1\"");
      try {
        HostPort.checkHost(ip);
      } catch (IllegalArgumentException e) {
        throw item.error("rank " + rank + ": " + e.getMessage());
      }
      Integer other = rankOf.putIfAbsent(ip, rank);
      // Several ranks may share a machine; one rank with one address twice is a slip.
      if (other != null && other == rank) {
        throw item.error("rank " + rank + ": address " + ip + " is there twice");
      }
      hosts.add(ip);
    }
    return hosts;
  }

  /** Addresses and ssh name of each rank's host, to find the own one among them. */
  public List<List<String>> hostsByRank() {
    return hosts.stream()
        .map(host -> Stream.concat(host.ips().stream(), Stream.of(host.ssh())).toList())
        .toList();
  }

  /**
   * The device matrix of the hosts' {@code rdma} rows.
   *
   * @throws ConfigurationException if a host has none; names its rank
   */
  public DeviceMatrix devices() {
    List<List<List<String>>> rows = new ArrayList<>();
    for (int rank = 0; rank < hosts.size(); rank++) {
      int missing = rank;
      rows.add(
          hosts
              .get(rank)
              .devices()
              .orElseThrow(
                  () ->
                      new ConfigurationException(
                          "host of rank %d (%s) has no \"rdma\", want its row of device names"
                              .formatted(missing, hosts.get(missing).ssh()))));
    }
    return DeviceMatrix.of(rows);
  }

  /**
   * Where rank 0 listens for JACCL's side channel.
   *
   * @throws ConfigurationException if rank 0 has no address
   */
  public HostPort coordinator(int port) {
    return new HostPort(firstIp(0), port);
  }

  /**
   * The ring hostfile that {@code mlx.launch} makes of it: ports from the first one upwards, over
   * ranks, addresses and connections.
   *
   * @throws ConfigurationException if a host has no address, or the ports run out
   */
  public RingHostfile ring(int startingPort, int connectionsPerIp) {
    List<List<HostPort>> rows = new ArrayList<>();
    int port = startingPort;
    for (int rank = 0; rank < hosts.size(); rank++) {
      firstIp(rank);
      List<HostPort> row = new ArrayList<>();
      for (String ip : hosts.get(rank).ips()) {
        for (int connection = 0; connection < connectionsPerIp; connection++) {
          try {
            row.add(new HostPort(ip, port++));
          } catch (IllegalArgumentException e) {
            throw new ConfigurationException(
                "rank %d: %s; lower the starting port %d"
                    .formatted(rank, e.getMessage(), startingPort),
                e);
          }
        }
      }
      rows.add(row);
    }
    return new RingHostfile(rows);
  }

  private String firstIp(int rank) {
    LaunchHost host = hosts.get(rank);
    if (host.ips().isEmpty()) {
      throw new ConfigurationException(
          "host of rank %d (%s) has no \"ips\", want an address that the other ranks reach"
              .formatted(rank, host.ssh()));
    }
    return host.ips().getFirst();
  }
}
