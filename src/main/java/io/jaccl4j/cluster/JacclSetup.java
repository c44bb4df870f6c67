package io.jaccl4j.cluster;

import io.jaccl4j.engine.Engine;
import io.jaccl4j.fabric.FabricProvider;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.pekko.actor.setup.Setup;

/**
 * Replaces what {@link JacclExtension} works with, for tests and for fabrics of your own: pass it
 * in an {@code ActorSystemSetup} when the actor system is created.
 */
public final class JacclSetup extends Setup {

  private final Engine.Factory engines;
  private final List<FabricProvider> fabrics;
  private final UnaryOperator<Mail> wire;

  /**
   * Another engine and other fabrics.
   *
   * @param engines makes one engine per formation
   * @param fabrics what {@code jaccl4j.fabric} can name, the preferred one first
   */
  public JacclSetup(Engine.Factory engines, List<FabricProvider> fabrics) {
    this(engines, fabrics, UnaryOperator.identity());
  }

  /** As above, with something between the actors and the cluster that may lose messages. */
  JacclSetup(Engine.Factory engines, List<FabricProvider> fabrics, UnaryOperator<Mail> wire) {
    this.engines = engines;
    this.fabrics = List.copyOf(fabrics);
    this.wire = wire;
  }

  /** What is used unless something else is passed in. */
  static JacclSetup defaults() {
    List<FabricProvider> fabrics = EngineDefaults.fabrics();
    return new JacclSetup(EngineDefaults.engines(fabrics), fabrics);
  }

  List<FabricProvider> fabrics() {
    return fabrics;
  }

  Engine.Factory engines() {
    return engines;
  }

  GroupActor.Surroundings surroundings(Engine.Factory counted) {
    return new GroupActor.Surroundings(counted, wire, System::nanoTime);
  }
}
