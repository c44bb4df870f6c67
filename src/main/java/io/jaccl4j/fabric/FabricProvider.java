package io.jaccl4j.fabric;

import io.jaccl4j.GroupSettings;
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

  /** Reserves what one rank needs. */
  Fabric open(FabricRequest request);
}
