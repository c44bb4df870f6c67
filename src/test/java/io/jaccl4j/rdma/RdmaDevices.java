package io.jaccl4j.rdma;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jaccl4j.GroupSettings;
import io.jaccl4j.fabric.verbs.VerbsFabricProvider;
import io.jaccl4j.testing.TestSettings;
import java.util.List;
import java.util.Optional;

/** The devices of this machine, for tests. */
public final class RdmaDevices {
  private RdmaDevices() {}

  /** Whether there is one. */
  public static boolean arePresent() {
    return new VerbsFabricProvider(System::nanoTime)
        .unavailableBecause(TestSettings.of("look", 1))
        .isEmpty();
  }

  /** Skips the test where there is none. */
  static VerbsFabricProvider assumePresent() {
    VerbsFabricProvider provider = new VerbsFabricProvider(System::nanoTime);
    Optional<String> obstacle = provider.unavailableBecause(TestSettings.of("look", 1));
    assumeTrue(obstacle.isEmpty(), () -> "no RDMA device: " + obstacle.orElseThrow());
    return provider;
  }

  /** Settings of a group over the devices, with little memory. */
  static GroupSettings settings(String name, int size) {
    GroupSettings settings = TestSettings.of(name, size);
    return settings
        .withFabric("verbs")
        .withMemory(new GroupSettings.Memory(64 << 10, 4 << 20, settings.memory().shmDirectory()));
  }

  /** The same settings on these devices. */
  static GroupSettings on(GroupSettings settings, String... devices) {
    GroupSettings.Verbs verbs = settings.verbs();
    return settings.withVerbs(
        new GroupSettings.Verbs(
            verbs.library(),
            List.of(devices),
            verbs.deviceMatrix(),
            verbs.queuePair(),
            verbs.gidIndex(),
            verbs.pairWires(),
            verbs.trace()));
  }
}
