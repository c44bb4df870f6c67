package io.jaccl4j.engine;

import io.jaccl4j.GroupSettings;
import io.jaccl4j.Topology;
import io.jaccl4j.collective.Algorithms;
import io.jaccl4j.collective.LoneAlgorithms;
import io.jaccl4j.collective.MeshAlgorithms;
import io.jaccl4j.collective.RingAlgorithms;
import io.jaccl4j.fabric.Fabric;
import io.jaccl4j.fabric.Wire;
import io.jaccl4j.topology.TopologyChoice;
import java.util.List;

/** Which algorithms a group uses, and what these need of the fabric. */
final class GroupAlgorithms {
  private final Formation formation;
  private final GroupSettings settings;
  private final TopologyChoice choice;

  /**
   * The algorithms of a group.
   *
   * @param settings those of the formation, or of fewer wires
   */
  GroupAlgorithms(Formation formation, GroupSettings settings) {
    this.formation = formation;
    this.settings = settings;
    this.choice = TopologyChoice.amongAnyLinks(settings.topology());
  }

  /** What they are made with. */
  GroupSettings settings() {
    return settings;
  }

  /** Whether the ranks are linked as a ring. */
  boolean isRing() {
    return choice.topology() == Topology.RING;
  }

  List<Wire> wires() {
    return isRing()
        ? RingAlgorithms.wires(formation.size(), settings.ring().wires())
        : MeshAlgorithms.wires(formation.size());
  }

  int slotsNeeded() {
    return isRing()
        ? RingAlgorithms.slotsNeeded(settings.ring().wires())
        : MeshAlgorithms.slotsNeeded(formation.size());
  }

  Algorithms over(Fabric fabric) {
    if (formation.size() == 1) {
      return new LoneAlgorithms();
    }
    return isRing()
        ? new RingAlgorithms(
            formation.rank(), formation.size(), fabric, settings.ring(), settings.wire())
        : new MeshAlgorithms(
            formation.rank(), formation.size(), fabric, settings.mesh(), settings.wire());
  }

  /** Why it is this topology. */
  String reason() {
    return choice.reason();
  }
}
