package io.jaccl4j.topology;

import io.jaccl4j.ConfigurationException;
import io.jaccl4j.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Which RDMA devices lead from each rank to each other rank: JACCL's device file, and its rules for
 * what makes a mesh or a ring. Immutable.
 *
 * <p>A cell holds the names of the devices of the row's rank whose cables end at the column's rank.
 * Their order matters in a ring: the k-th one of a rank's right cell is connected to the k-th one
 * of its right neighbour's left cell.
 */
public final class DeviceMatrix {

  /** JACCL's limit for a mesh. */
  public static final int MAX_MESH_RANKS = 8;

  /** JACCL's limit for the cables between two neighbours of a ring. */
  public static final int MAX_RING_WIRES = 4;

  private final List<List<List<String>>> devices;

  private DeviceMatrix(List<List<List<String>>> devices) {
    this.devices = devices;
  }

  /**
   * A matrix.
   *
   * @param devices one row for each rank, one cell in it for each rank, names in it, none if empty
   * @throws ConfigurationException if it is empty, not square, or a name is blank
   */
  public static DeviceMatrix of(List<List<List<String>>> devices) {
    if (devices.isEmpty()) {
      throw new ConfigurationException("device matrix has no rows, want one for each rank");
    }
    for (int rank = 0; rank < devices.size(); rank++) {
      checkRow(rank, devices.get(rank), devices.size());
    }
    return new DeviceMatrix(
        devices.stream().map(row -> row.stream().map(List::copyOf).toList()).toList());
  }

  private static void checkRow(int rank, List<List<String>> row, int size) {
    if (row.size() != size) {
      throw new ConfigurationException(
          "device matrix: row of rank %d has %d cells, want %d, one for each rank"
              .formatted(rank, row.size(), size));
    }
    for (int peer = 0; peer < size; peer++) {
      if (row.get(peer).stream().anyMatch(String::isBlank)) {
        throw new ConfigurationException(
            "device matrix: rank %d names a device towards rank %d with a blank name"
                .formatted(rank, peer));
      }
    }
  }

  /** Number of ranks. */
  public int size() {
    return devices.size();
  }

  /** The devices of a rank whose cables end at a peer; empty if there is no cable. */
  public List<String> devices(int rank, int peer) {
    return devices.get(rank).get(peer);
  }

  /** What keeps it from being a mesh; empty if it is one. */
  public List<TopologyFault> meshFaults() {
    List<TopologyFault> faults = new ArrayList<>();
    if (size() < 2 || size() > MAX_MESH_RANKS) {
      faults.add(sizeFault("a mesh", "2 to " + MAX_MESH_RANKS));
    }
    for (int rank = 0; rank < size(); rank++) {
      if (!devices(rank, rank).isEmpty()) {
        faults.add(
            new TopologyFault(
                rank,
                rank,
                "rank %d names %s towards itself, want null"
                    .formatted(rank, String.join(", ", devices(rank, rank)))));
      }
      for (int peer = rank + 1; peer < size(); peer++) {
        missingCable(rank, peer).ifPresent(faults::add);
      }
    }
    return faults;
  }

  /** What keeps it from being a ring in rank order; empty if it is one. */
  public List<TopologyFault> ringFaults() {
    List<TopologyFault> faults = new ArrayList<>();
    if (size() < 2) {
      faults.add(sizeFault("a ring", "2 or more"));
      return faults;
    }
    int edges = size() == 2 ? 1 : size();
    for (int rank = 0; rank < edges; rank++) {
      ringFault(rank, rightOf(rank)).ifPresent(faults::add);
    }
    return faults;
  }

  private Optional<TopologyFault> ringFault(int rank, int right) {
    Optional<TopologyFault> missing = missingCable(rank, right);
    if (missing.isPresent()) {
      return missing;
    }
    int outward = devices(rank, right).size();
    int inward = devices(right, rank).size();
    int wires = devices(0, 1).size();
    String detail = null;
    if (outward != inward) {
      detail =
          "rank %d names %s towards rank %d, rank %d names %s towards rank %d, want equally many"
              .formatted(rank, count(outward), right, right, count(inward), rank);
    } else if (wires > 0 && outward != wires) {
      detail =
          "edge %d-%d has %s, edge 0-1 has %d, want equally many"
              .formatted(rank, right, count(outward), wires);
    } else if (outward > MAX_RING_WIRES) {
      detail =
          "edge %d-%d has %s, want at most %d"
              .formatted(rank, right, count(outward), MAX_RING_WIRES);
    }
    return Optional.ofNullable(detail).map(text -> new TopologyFault(rank, right, text));
  }

  private Optional<TopologyFault> missingCable(int rank, int peer) {
    List<String> outward = devices(rank, peer);
    List<String> inward = devices(peer, rank);
    if (outward.isEmpty() && inward.isEmpty()) {
      return Optional.of(
          new TopologyFault(
              rank, peer, "no cable between rank %d and rank %d".formatted(rank, peer)));
    }
    if (outward.isEmpty()) {
      return Optional.of(oneSided(rank, peer, inward));
    }
    return inward.isEmpty() ? Optional.of(oneSided(peer, rank, outward)) : Optional.empty();
  }

  private static TopologyFault oneSided(int silent, int naming, List<String> names) {
    return new TopologyFault(
        silent,
        naming,
        "rank %d names no device towards rank %d, though rank %d names %s towards rank %d"
            .formatted(silent, naming, naming, String.join(", ", names), silent));
  }

  private TopologyFault sizeFault(String what, String want) {
    return new TopologyFault(
        0, 0, "%d rank%s, want %s for %s".formatted(size(), size() == 1 ? "" : "s", want, what));
  }

  private static String count(int wires) {
    return wires == 1 ? "1 wire" : wires + " wires";
  }

  /** Whether every rank has a cable to every other. */
  public boolean isMesh() {
    return meshFaults().isEmpty();
  }

  /** Whether every rank has cables to its two neighbours, equally many everywhere. */
  public boolean isRing() {
    return ringFaults().isEmpty();
  }

  /**
   * JACCL's choice: a ring if that is preferred and there is one, else a mesh, else a ring.
   *
   * @return empty if it is neither
   */
  public Optional<TopologyChoice> choose(boolean preferRing) {
    if (preferRing && isRing()) {
      return Optional.of(new TopologyChoice(Topology.RING, "a ring is preferred"));
    }
    if (isMesh()) {
      return Optional.of(
          new TopologyChoice(
              Topology.MESH,
              preferRing
                  ? "a ring is preferred, but " + ringFaults().getFirst()
                  : "a cable links every two ranks"));
    }
    return isRing()
        ? Optional.of(new TopologyChoice(Topology.RING, "no mesh: " + meshFaults().getFirst()))
        : Optional.empty();
  }

  /**
   * The same choice, for who insists on a group.
   *
   * @throws ConfigurationException if it is neither; names every pair at fault
   */
  public TopologyChoice require(boolean preferRing) {
    return choose(preferRing)
        .orElseThrow(
            () ->
                new ConfigurationException(
                    "devices form neither a mesh (%s) nor a ring (%s)"
                        .formatted(text(meshFaults()), text(ringFaults()))));
  }

  /**
   * The topology that somebody insists on, or JACCL's choice without a preference.
   *
   * @throws ConfigurationException if the devices do not form it; names every pair at fault
   */
  public TopologyChoice require(Topology wanted) {
    return switch (wanted) {
      case AUTO -> require(false);
      case MESH -> insist(wanted, meshFaults());
      case RING -> insist(wanted, ringFaults());
    };
  }

  private static TopologyChoice insist(Topology wanted, List<TopologyFault> faults) {
    if (!faults.isEmpty()) {
      throw new ConfigurationException(
          "devices form no %s: %s"
              .formatted(wanted == Topology.MESH ? "mesh" : "ring", text(faults)));
    }
    return new TopologyChoice(wanted, "configured");
  }

  private static String text(List<TopologyFault> faults) {
    return String.join("; ", faults.stream().map(TopologyFault::detail).toList());
  }

  /** The wires of the mesh: one for each pair of ranks, over the first device of each cell. */
  public List<Cable> meshCables() {
    insist(Topology.MESH, meshFaults());
    List<Cable> cables = new ArrayList<>();
    for (int rank = 0; rank < size(); rank++) {
      for (int peer = rank + 1; peer < size(); peer++) {
        cables.add(cable(cables.size(), rank, peer, 0));
      }
    }
    return cables;
  }

  /**
   * The wires of the ring: each rank's to its right neighbour, rank by rank. A ring of two has
   * every cable twice, since each rank is the other's left and right neighbour.
   */
  public List<Cable> ringCables() {
    insist(Topology.RING, ringFaults());
    List<Cable> cables = new ArrayList<>();
    for (int rank = 0; rank < size(); rank++) {
      for (int lane = 0; lane < ringWires(); lane++) {
        cables.add(cable(cables.size(), rank, rightOf(rank), lane));
      }
    }
    return cables;
  }

  private Cable cable(int number, int rank, int peer, int lane) {
    return new Cable(
        number,
        new CableEnd(rank, devices(rank, peer).get(lane)),
        new CableEnd(peer, devices(peer, rank).get(lane)));
  }

  /** Cables between two neighbours of the ring. */
  public int ringWires() {
    insist(Topology.RING, ringFaults());
    return devices(0, 1).size();
  }

  /**
   * The same matrix with the surplus cables between neighbours left out, so that every two
   * neighbours have as many as those who have fewest. Unchanged where two neighbours have none.
   */
  public DeviceMatrix withEqualRingWires() {
    int fewest = MAX_RING_WIRES;
    for (int rank = 0; rank < size(); rank++) {
      int right = rightOf(rank);
      fewest = Math.min(fewest, Math.min(devices(rank, right).size(), devices(right, rank).size()));
    }
    if (fewest == 0 || size() < 2) {
      return this;
    }
    List<List<List<String>>> rows = new ArrayList<>();
    for (int rank = 0; rank < size(); rank++) {
      List<List<String>> row = new ArrayList<>(devices.get(rank));
      for (int neighbour : List.of(rightOf(rank), leftOf(rank))) {
        row.set(neighbour, row.get(neighbour).subList(0, fewest));
      }
      rows.add(row);
    }
    return of(rows);
  }

  /** The rank after this one. */
  public int rightOf(int rank) {
    return (rank + 1) % size();
  }

  /** The rank before this one. */
  public int leftOf(int rank) {
    return (rank + size() - 1) % size();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof DeviceMatrix matrix && devices.equals(matrix.devices);
  }

  @Override
  public int hashCode() {
    return devices.hashCode();
  }

  @Override
  public String toString() {
    return "DeviceMatrix" + devices;
  }
}
