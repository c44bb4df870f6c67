package io.jaccl4j.collective;

import io.jaccl4j.GroupSettings;
import io.jaccl4j.Topology;
import io.jaccl4j.engine.NanoClock;
import io.jaccl4j.testing.emulated.EmulatedRanks;
import io.jaccl4j.testing.emulated.NetworkScript;

/** How the ranks of an emulated group are linked. */
enum EmulatedShape {
  MESH(Topology.MESH, 1, false),
  MESH_OF_FEW_MESSAGES(Topology.MESH, 1, true),
  RING(Topology.RING, 1, false),
  RING_OF_TWO_WIRES(Topology.RING, 2, false);

  private final Topology topology;
  private final int wires;
  private final boolean fewMessages;

  EmulatedShape(Topology topology, int wires, boolean fewMessages) {
    this.topology = topology;
    this.wires = wires;
    this.fewMessages = fewMessages;
  }

  /** The fewest ranks among which every operation is what it is among many. */
  int fewestRanks() {
    return fewMessages ? 4 : 3;
  }

  EmulatedRanks form(int size, NetworkScript script) {
    GroupSettings settings =
        EmulatedRanks.settings(size)
            .withTopology(topology)
            .withRing(new GroupSettings.Ring(wires, 32768, 65536, false));
    return EmulatedRanks.form(
        settings, fewMessages ? script.preferringFewMessages() : script, NanoClock.SYSTEM);
  }
}
