package io.jaccl4j.cli;

import io.jaccl4j.GroupSettings;
import io.jaccl4j.Topology;
import io.jaccl4j.WireMode;

/**
 * How started ranks are linked; the rest of their settings is the configuration's.
 *
 * @param fabric transport, as in the configuration
 * @param topology mesh, ring or what fits
 * @param wires connections to each neighbour of a ring
 * @param wire what a message carries
 */
record GroupShape(String fabric, Topology topology, int wires, WireMode wire) {
  /** As in reference.conf. */
  static final GroupShape DEFAULT = new GroupShape("auto", Topology.AUTO, 1, WireMode.EXACT);

  /** The same shape over another fabric. */
  GroupShape withFabric(String newFabric) {
    return new GroupShape(newFabric, topology, wires, wire);
  }

  GroupSettings apply(GroupSettings settings) {
    GroupSettings.Ring ring = settings.ring();
    return settings
        .withFabric(fabric)
        .withTopology(topology)
        .withWire(wire)
        .withRing(
            new GroupSettings.Ring(
                wires, ring.smallBytes(), ring.scatterSmallBytes(), ring.degrade()));
  }
}
