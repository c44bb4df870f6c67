package io.jaccl4j.cluster;

import io.jaccl4j.engine.CollectiveEngine;
import io.jaccl4j.engine.Engine;
import io.jaccl4j.engine.NanoClock;
import io.jaccl4j.fabric.FabricProvider;
import io.jaccl4j.fabric.shm.ShmFabricProvider;
import io.jaccl4j.fabric.tcp.TcpFabricProvider;
import io.jaccl4j.fabric.verbs.VerbsFabricProvider;
import java.util.List;

/** The engine and the fabrics of a production system. */
final class EngineDefaults {

  private EngineDefaults() {}

  /** Every fabric of this build, the preferred one first. */
  static List<FabricProvider> fabrics() {
    return List.of(
        new ShmFabricProvider(),
        new VerbsFabricProvider(System::nanoTime),
        new TcpFabricProvider(System::nanoTime));
  }

  /** Makes engines that open these fabrics. */
  static Engine.Factory engines(List<FabricProvider> fabrics) {
    return listener -> new CollectiveEngine(fabrics, listener, NanoClock.SYSTEM);
  }
}
