package io.jaccl4j.config.mlx;

import io.jaccl4j.ConfigurationException;
import io.jaccl4j.topology.DeviceMatrix;
import java.util.Optional;

/**
 * What JACCL's start needs.
 *
 * @param rank this rank, in range
 * @param devices its size is the group's
 * @param coordinator where rank 0 listens; empty if the metadata goes another way
 * @param preferRing whether a ring is taken where there are both
 */
public record JacclConfiguration(
    int rank, DeviceMatrix devices, Optional<HostPort> coordinator, boolean preferRing) {

  public JacclConfiguration {
    if (rank < 0 || rank >= devices.size()) {
      throw new ConfigurationException(
          "rank is %d, want 0 to %d, the rows of the device matrix"
              .formatted(rank, devices.size() - 1));
    }
  }
}
