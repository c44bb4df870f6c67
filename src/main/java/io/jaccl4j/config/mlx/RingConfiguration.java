package io.jaccl4j.config.mlx;

import io.jaccl4j.ConfigurationException;

/**
 * What MLX's TCP ring needs.
 *
 * @param rank this rank, in range
 * @param hosts where all ranks accept
 * @param verbose whether to tell of the progress of connecting
 */
public record RingConfiguration(int rank, RingHostfile hosts, boolean verbose) {

  public RingConfiguration {
    if (rank < 0 || rank >= hosts.size()) {
      throw new ConfigurationException(
          "rank is %d, want 0 to %d, the rows of the hostfile".formatted(rank, hosts.size() - 1));
    }
  }
}
