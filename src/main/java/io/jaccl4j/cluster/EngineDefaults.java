package io.jaccl4j.cluster;

import io.jaccl4j.engine.Engine;
import io.jaccl4j.fabric.FabricProvider;
import java.util.List;

/** The engine and the fabrics of a production system. */
final class EngineDefaults {

  private EngineDefaults() {}

  /** Every fabric of this build, the preferred one first. */
  static List<FabricProvider> fabrics() {
    throw missing();
  }

  /** Makes engines that open these fabrics. */
  static Engine.Factory engines(List<FabricProvider> fabrics) {
    throw missing();
  }

  private static IllegalStateException missing() {
    return new IllegalStateException(
        "this build of jaccl4j has no engine; pass one with a JacclSetup when the actor system is"
            + " created");
  }
}
