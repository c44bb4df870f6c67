package io.jaccl4j.cluster;

import io.jaccl4j.GroupSettings;
import io.jaccl4j.fabric.Fabric;
import io.jaccl4j.fabric.FabricProvider;
import io.jaccl4j.fabric.FabricRequest;
import java.util.Optional;

/** A fabric that can be offered and chosen, not opened. */
record FakeFabric(String name, String machines, String why) implements FabricProvider {

  static FakeFabric reaching(String reach) {
    return new FakeFabric("fake", reach, "");
  }

  @Override
  public Optional<String> unavailableBecause(GroupSettings settings) {
    return why.isEmpty() ? Optional.empty() : Optional.of(why);
  }

  @Override
  public String reach(GroupSettings settings) {
    return machines;
  }

  @Override
  public Fabric open(FabricRequest request) {
    throw new UnsupportedOperationException("only offered");
  }
}
