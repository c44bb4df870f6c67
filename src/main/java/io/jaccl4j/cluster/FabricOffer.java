package io.jaccl4j.cluster;

import io.jaccl4j.GroupSettings;
import io.jaccl4j.fabric.FabricProvider;
import java.util.List;

/**
 * What a member says about one fabric.
 *
 * @param name name of the fabric
 * @param reach the set of machines among which it links ranks; empty if it is not available
 * @param unavailableBecause why the member cannot use it; empty if it can
 */
record FabricOffer(String name, String reach, String unavailableBecause) {

  /** Asks the providers. May look at the machine, so not for an actor. */
  static List<FabricOffer> of(List<FabricProvider> providers, GroupSettings settings) {
    return providers.stream()
        .map(
            provider ->
                provider
                    .unavailableBecause(settings)
                    .map(reason -> new FabricOffer(provider.name(), "", reason))
                    .orElseGet(
                        () -> new FabricOffer(provider.name(), provider.reach(settings), "")))
        .toList();
  }

  boolean available() {
    return unavailableBecause.isEmpty();
  }
}
