package io.jaccl4j.javadoc;

import com.typesafe.config.ConfigFactory;
import io.jaccl4j.GroupSettings;
import io.jaccl4j.Topology;
import io.jaccl4j.config.SettingsReader;
import java.time.Duration;

/** For {@link GroupSettings}. */
final class GroupSettingsExample {
  private GroupSettingsExample() {}

  static GroupSettings settings() {
    // @start region="settings"
    // What application.conf says, or the defaults; then what only the program knows.
    GroupSettings settings =
        SettingsReader.read(ConfigFactory.load(), "training", 4)
            .withTopology(Topology.RING)
            .withFabric("tcp")
            .withOperationTimeout(Duration.ofMinutes(5));
    // @end
    return settings;
  }
}
