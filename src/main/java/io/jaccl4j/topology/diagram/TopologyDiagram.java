package io.jaccl4j.topology.diagram;

import io.jaccl4j.Topology;
import io.jaccl4j.topology.DeviceMatrix;
import io.jaccl4j.topology.TopologyFault;
import java.util.ArrayList;
import java.util.List;

/**
 * What there is to draw: ranks, the links that a topology wants, and what is wrong.
 *
 * @param topology mesh or ring
 * @param labels what to call each rank, in rank order
 * @param links in the order of their ranks
 * @param faults that belong to no link
 */
public record TopologyDiagram(
    Topology topology, List<String> labels, List<DrawnLink> links, List<String> faults) {

  public TopologyDiagram {
    labels = List.copyOf(labels);
    links = List.copyOf(links);
    faults = List.copyOf(faults);
  }

  /**
   * The links of a mesh or a ring, there or not.
   *
   * @param topology mesh or ring
   * @param hosts name of each rank's machine, in rank order, or empty
   */
  public static TopologyDiagram of(DeviceMatrix matrix, Topology topology, List<String> hosts) {
    if (topology == Topology.AUTO) {
      throw new IllegalArgumentException("topology is AUTO, want MESH or RING");
    }
    if (!hosts.isEmpty() && hosts.size() != matrix.size()) {
      throw new IllegalArgumentException(
          hosts.size() + " host names for " + matrix.size() + " ranks");
    }
    List<TopologyFault> faults =
        topology == Topology.MESH ? matrix.meshFaults() : matrix.ringFaults();
    List<String> labels = new ArrayList<>();
    List<DrawnLink> links = new ArrayList<>();
    for (int rank = 0; rank < matrix.size(); rank++) {
      labels.add(hosts.isEmpty() ? "rank " + rank : "rank " + rank + " " + hosts.get(rank));
      for (int peer = rank + 1; peer < matrix.size(); peer++) {
        if (topology == Topology.MESH || areNeighbours(matrix, rank, peer)) {
          links.add(link(matrix, rank, peer, faults));
        }
      }
    }
    return new TopologyDiagram(
        topology,
        labels,
        links,
        faults.stream()
            .filter(fault -> fault.rank() == fault.peer())
            .map(TopologyFault::detail)
            .toList());
  }

  private static boolean areNeighbours(DeviceMatrix matrix, int rank, int peer) {
    return matrix.rightOf(rank) == peer || matrix.leftOf(rank) == peer;
  }

  private static DrawnLink link(
      DeviceMatrix matrix, int rank, int peer, List<TopologyFault> faults) {
    return new DrawnLink(
        rank,
        matrix.devices(rank, peer),
        peer,
        matrix.devices(peer, rank),
        faults.stream()
            .filter(fault -> fault.isBetween(rank, peer))
            .map(TopologyFault::detail)
            .findFirst());
  }

  /** Whether nothing is wrong. */
  public boolean isSound() {
    return faults.isEmpty() && links.stream().noneMatch(DrawnLink::isBroken);
  }

  /** The topology's name. */
  String title() {
    return (topology == Topology.MESH ? "mesh" : "ring")
        + " of "
        + labels.size()
        + (isSound() ? "" : ", broken");
  }
}
