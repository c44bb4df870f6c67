package io.jaccl4j.testing;

import io.jaccl4j.GroupSettings;
import io.jaccl4j.fabric.Fabric;
import io.jaccl4j.fabric.FabricProvider;
import io.jaccl4j.fabric.FabricRequest;
import java.util.Optional;
import java.util.function.Function;

/**
 * Another transport, save for how its links are opened.
 *
 * @param provider the transport
 * @param opening opens a rank's links
 */
public record ForwardingProvider(FabricProvider provider, Function<FabricRequest, Fabric> opening)
    implements FabricProvider {

  @Override
  public String name() {
    return provider.name();
  }

  @Override
  public Optional<String> unavailableBecause(GroupSettings settings) {
    return provider.unavailableBecause(settings);
  }

  @Override
  public String reach(GroupSettings settings) {
    return provider.reach(settings);
  }

  @Override
  public Fabric open(FabricRequest request) {
    return opening.apply(request);
  }
}
