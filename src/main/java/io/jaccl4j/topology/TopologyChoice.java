package io.jaccl4j.topology;

import io.jaccl4j.Topology;

/**
 * The topology of one group and why it is that one.
 *
 * @param topology mesh or ring
 * @param reason for people
 */
public record TopologyChoice(Topology topology, String reason) {

  /**
   * Chooses for a fabric that can link any two ranks.
   *
   * @param wanted as configured
   */
  public static TopologyChoice amongAnyLinks(Topology wanted) {
    return switch (wanted) {
      case AUTO -> new TopologyChoice(Topology.MESH, "the fabric links any two ranks");
      case MESH, RING -> new TopologyChoice(wanted, "configured");
    };
  }
}
