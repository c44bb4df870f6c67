package io.jaccl4j.fabric;

import io.jaccl4j.GroupSettings;
import java.util.Map;
import java.util.Optional;

/** One transport: whether this machine has it, and how a rank opens it. */
public interface FabricProvider {

  /** Name, as in the configuration. */
  String name();

  /** Why this machine cannot use it, with the remedy; empty if it can. Never throws. */
  Optional<String> unavailableBecause(GroupSettings settings);

  /**
   * Names the set of machines among which ranks can be linked: ranks whose reach is equal can use
   * this transport together. Only asked of an available transport.
   */
  String reach(GroupSettings settings);

  /**
   * Wires of this rank that cannot be had from this machine as it is now, by number, with the
   * reason. What only shows when links are tried is not among them.
   */
  default Map<Integer, String> unusableWires(FabricRequest request) {
    return Map.of();
  }

  /** Reserves what one rank needs. */
  Fabric open(FabricRequest request);
}
