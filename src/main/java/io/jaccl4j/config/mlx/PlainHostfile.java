package io.jaccl4j.config.mlx;

import io.jaccl4j.ConfigurationException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The plain list of hosts: {@code {"backend": "tcp", "hosts": ["10.0.0.1:5000", …]}}, one address
 * for each rank. The backend may be left out, and is {@code tcp} then.
 *
 * @param backend what carries the group
 * @param hosts by rank
 */
public record PlainHostfile(BackendName backend, List<HostPort> hosts) {
  private static final String WANT =
      "an object such as {\"backend\": \"tcp\", \"hosts\": [\"10.0.0.1:5000\", …]}";
  private static final String LOOPBACK = "127.0.0.1";

  public PlainHostfile {
    hosts = List.copyOf(hosts);
  }

  /**
   * Ranks on this machine alone.
   *
   * @param size number of ranks, positive
   * @param firstPort of rank 0; the other ranks have the next ones
   */
  public static PlainHostfile loopback(BackendName backend, int size, int firstPort) {
    if (size < 1) {
      throw new ConfigurationException("size is " + size + ", want 1 or more ranks");
    }
    List<HostPort> hosts = new ArrayList<>();
    try {
      for (int rank = 0; rank < size; rank++) {
        hosts.add(new HostPort(LOOPBACK, firstPort + rank));
      }
    } catch (IllegalArgumentException e) {
      throw new ConfigurationException(
          "%d ranks from port %d: %s".formatted(size, firstPort, e.getMessage()), e);
    }
    return new PlainHostfile(backend, hosts);
  }

  /**
   * Reads a file.
   *
   * @throws ConfigurationException if it is none; names file, line, column and rank
   */
  public static PlainHostfile read(Path file) {
    return hostfile(JsonDocument.read(file, WANT));
  }

  /**
   * Reads a text.
   *
   * @param origin what to call it in complaints
   */
  public static PlainHostfile parse(String text, String origin) {
    return hostfile(JsonDocument.parse(text, origin, WANT));
  }

  static PlainHostfile hostfile(JsonItem root) {
    BackendName backend = BackendName.TCP;
    List<HostPort> hosts = null;
    for (Map.Entry<String, JsonItem> member : root.asObject("the file", WANT).entrySet()) {
      switch (member.getKey()) {
        case "backend" -> backend = backend(member.getValue());
        case "hosts" -> hosts = hosts(member.getValue());
        default ->
            throw member
                .getValue()
                .error("unknown member \"" + member.getKey() + "\", want " + WANT);
      }
    }
    if (hosts == null) {
      throw root.error("no \"hosts\", want " + WANT);
    }
    return new PlainHostfile(backend, hosts);
  }

  private static BackendName backend(JsonItem item) {
    String name = item.asText("\"backend\"", "one of " + BackendName.choices());
    return BackendName.named(name)
        .orElseThrow(
            () ->
                item.error(
                    "\"backend\" is \"" + name + "\", want one of " + BackendName.choices()));
  }

  private static List<HostPort> hosts(JsonItem item) {
    List<JsonItem> items = item.asList("\"hosts\"", "a list of addresses, one for each rank");
    if (items.isEmpty()) {
      throw item.error("\"hosts\" is empty, want one address for each rank");
    }
    HostAddresses known = new HostAddresses();
    List<HostPort> hosts = new ArrayList<>();
    for (JsonItem host : items) {
      hosts.add(known.read(host, hosts.size()));
    }
    return hosts;
  }

  /** The host of each rank, to find the own one among them. */
  public List<List<String>> hostsByRank() {
    return hosts.stream().map(host -> List.of(host.host())).toList();
  }

  /** Number of ranks. */
  public int size() {
    return hosts.size();
  }

  /** What {@link #parse} reads. */
  public String toJson() {
    return JsonFile.text(
        json -> {
          json.writeStartObject();
          json.writeStringField("backend", backend.canonicalName());
          json.writeArrayFieldStart("hosts");
          for (HostPort host : hosts) {
            json.writeString(host.toString());
          }
          json.writeEndArray();
          json.writeEndObject();
        });
  }

  /**
   * Writes it to a file, so that a reader sees the whole file or none of it.
   *
   * @throws ConfigurationException if the file cannot be written
   */
  public void write(Path file) {
    JsonFile.write(file, toJson());
  }
}
