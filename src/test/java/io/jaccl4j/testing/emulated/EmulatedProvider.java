package io.jaccl4j.testing.emulated;

import io.jaccl4j.GroupSettings;
import io.jaccl4j.fabric.Fabric;
import io.jaccl4j.fabric.FabricProvider;
import io.jaccl4j.fabric.FabricRequest;
import java.util.Optional;

/**
 * Opens the fabrics of one emulated network.
 *
 * @param network that all ranks share
 */
public record EmulatedProvider(EmulatedNetwork network) implements FabricProvider {
  static final String NAME = "emulated";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Optional<String> unavailableBecause(GroupSettings settings) {
    return Optional.empty();
  }

  @Override
  public String reach(GroupSettings settings) {
    return NAME + "-" + System.identityHashCode(network);
  }

  @Override
  public Fabric open(FabricRequest request) {
    return network.open(request);
  }
}
