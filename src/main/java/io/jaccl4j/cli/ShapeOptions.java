package io.jaccl4j.cli;

import io.jaccl4j.Topology;
import io.jaccl4j.WireMode;
import io.jaccl4j.cli.bench.exchange.Operation;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How to link the ranks, on the command line. */
final class ShapeOptions {
  private static final int MAX_WIRES = 4;

  @Mixin private FabricOption fabric;

  @Option(
      names = "--topology",
      paramLabel = "TOPOLOGY",
      defaultValue = "auto",
      description = "auto, mesh or ring (default: ${DEFAULT-VALUE}).")
  private Topology topology;

  @Option(
      names = "--wires",
      paramLabel = "WIRES",
      defaultValue = "1",
      description = "Connections to each neighbour of a ring, 1 to 4 (default: ${DEFAULT-VALUE}).")
  private int wires;

  @Option(
      names = "--wire",
      paramLabel = "MODE",
      defaultValue = "exact",
      description =
          "What a message carries: exact or mlx, which has no broadcast and no all_to_all"
              + " (default: ${DEFAULT-VALUE}).")
  private WireMode wire;

  /** Throws an IllegalArgumentException that says what is wrong. */
  GroupShape shape(Operation operation) {
    if (wires < 1 || wires > MAX_WIRES) {
      throw new IllegalArgumentException("--wires is " + wires + ", want 1 to " + MAX_WIRES);
    }
    if (wire == WireMode.MLX && operation.isOnExactWireOnly()) {
      throw new IllegalArgumentException(
          operation.label() + " is in no wire of MLX, measure it with --wire exact");
    }
    return new GroupShape(fabric.name(), topology, wires, wire);
  }
}
