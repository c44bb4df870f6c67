package io.jaccl4j.config.mlx;

import io.jaccl4j.ConfigurationException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The hostfile of MLX's TCP ring: a list with one row for each rank, each a list of the addresses
 * where that rank accepts its left neighbour, one for each parallel connection. A flat list of
 * addresses is a ring with one connection, as in MLX, and so is a {@link PlainHostfile}.
 *
 * @param addresses by rank; equally many for every rank
 */
public record RingHostfile(List<List<HostPort>> addresses) {
  private static final String WANT =
      "a list with one list of addresses for each rank, such as"
          + " [[\"10.0.0.1:5000\"], [\"10.0.0.2:5000\"]]";

  public RingHostfile {
    addresses = addresses.stream().map(List::copyOf).toList();
  }

  /**
   * A ring on this machine alone.
   *
   * @param size number of ranks, 2 or more
   * @param connections parallel ones between neighbours, positive
   * @param firstPort of rank 0; the others follow, rank by rank
   */
  public static RingHostfile loopback(int size, int connections, int firstPort) {
    if (size < 2 || connections < 1) {
      throw new ConfigurationException(
          "%d ranks with %d connections, want 2 or more with 1 or more"
              .formatted(size, connections));
    }
    List<HostPort> all =
        PlainHostfile.loopback(BackendName.TCP, Math.multiplyExact(size, connections), firstPort)
            .hosts();
    List<List<HostPort>> rows = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      rows.add(all.subList(rank * connections, (rank + 1) * connections));
    }
    return new RingHostfile(rows);
  }

  /**
   * Reads a file.
   *
   * @throws ConfigurationException if it is none; names file, line, column and rank
   */
  public static RingHostfile read(Path file) {
    return hosts(JsonDocument.read(file, WANT));
  }

  /**
   * Reads a text.
   *
   * @param origin what to call it in complaints
   */
  public static RingHostfile parse(String text, String origin) {
    return hosts(JsonDocument.parse(text, origin, WANT));
  }

  private static RingHostfile hosts(JsonItem root) {
    if (root.is(JsonItem.Kind.OBJECT)) {
      return plain(root);
    }
    List<JsonItem> rows = root.asList("the file", WANT);
    if (rows.size() < 2) {
      throw tooFew(root, rows.size());
    }
    HostAddresses known = new HostAddresses();
    List<List<HostPort>> addresses = new ArrayList<>();
    for (int rank = 0; rank < rows.size(); rank++) {
      List<HostPort> row = row(rows.get(rank), rank, known);
      int wanted = rank == 0 ? row.size() : addresses.getFirst().size();
      if (row.size() != wanted) {
        throw rows.get(rank)
            .error(
                "rank %d has %d addresses, want %d as rank 0 has"
                    .formatted(rank, row.size(), wanted));
      }
      addresses.add(row);
    }
    return new RingHostfile(addresses);
  }

  private static RingHostfile plain(JsonItem root) {
    PlainHostfile plain = PlainHostfile.hostfile(root);
    if (plain.backend() != BackendName.TCP) {
      throw root.error(
          "\"backend\" is \"%s\", want tcp or ring; the others take a device matrix, in MLX_IBV_DEVICES"
              .formatted(plain.backend().canonicalName()));
    }
    if (plain.size() < 2) {
      throw tooFew(root, plain.size());
    }
    return new RingHostfile(plain.hosts().stream().map(List::of).toList());
  }

  private static ConfigurationException tooFew(JsonItem root, int ranks) {
    return root.error(
        "%d rank%s, want 2 or more for a ring".formatted(ranks, ranks == 1 ? "" : "s"));
  }

  private static List<HostPort> row(JsonItem row, int rank, HostAddresses known) {
    if (row.is(JsonItem.Kind.TEXT)) {
      return List.of(known.read(row, rank));
    }
    if (row.is(JsonItem.Kind.OBJECT)) {
      throw row.unwanted(
          "row of rank " + rank, "a list of addresses; mlx.launch makes this file from its own");
    }
    List<JsonItem> items = row.asList("row of rank " + rank, "a list of addresses");
    if (items.isEmpty()) {
      throw row.error("rank " + rank + " has no address, want one for each connection");
    }
    return items.stream().map(item -> known.read(item, rank)).toList();
  }

  /** The hosts of each rank, to find the own one among them. */
  public List<List<String>> hostsByRank() {
    return addresses.stream().map(row -> row.stream().map(HostPort::host).toList()).toList();
  }

  /** Number of ranks. */
  public int size() {
    return addresses.size();
  }

  /** Parallel connections between neighbours. */
  public int connections() {
    return addresses.getFirst().size();
  }

  /** What {@link #parse} and MLX read. */
  public String toJson() {
    return JsonFile.text(
        json -> {
          json.writeStartArray();
          for (List<HostPort> row : addresses) {
            json.writeStartArray();
            for (HostPort address : row) {
              json.writeString(address.toString());
            }
            json.writeEndArray();
          }
          json.writeEndArray();
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
