package io.jaccl4j.config.mlx;

import java.util.List;
import java.util.Optional;

/**
 * One host of {@code mlx.launch}, which is one rank.
 *
 * @param ssh name to reach it with ssh
 * @param ips its addresses, perhaps none
 * @param devices its row of the device matrix, if it has one
 */
public record LaunchHost(String ssh, List<String> ips, Optional<List<List<String>>> devices) {

  public LaunchHost {
    ips = List.copyOf(ips);
  }
}
