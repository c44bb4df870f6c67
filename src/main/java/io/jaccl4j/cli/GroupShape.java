package io.jaccl4j.cli;

import io.jaccl4j.GroupSettings;
import io.jaccl4j.Topology;
import io.jaccl4j.WireMode;

/**
 * How started ranks are linked; the rest of their settings is the configuration's.
 *
 * @param topology mesh, ring or what fits
 * @param wires connections to each neighbour of a ring
 * @param wire what a message carries
 */
record GroupShape(Topology topology, int wires, WireMode wire) {
  /** As in reference.conf. */
  static final GroupShape DEFAULT = new GroupShape(Topology.AUTO, 1, WireMode.EXACT);

  GroupSettings apply(GroupSettings settings) {
    GroupSettings.Ring ring = settings.ring();
    return settings
        .withTopology(topology)
        .withWire(wire)
        .withRing(new GroupSettings.Ring(wires, ring.smallBytes(), ring.scatterSmallBytes()));
  }
}
