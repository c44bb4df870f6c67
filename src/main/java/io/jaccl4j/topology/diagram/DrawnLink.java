package io.jaccl4j.topology.diagram;

import java.util.List;
import java.util.Optional;

/**
 * What leads from one rank to another.
 *
 * @param first rank at one end
 * @param firstDevices its devices
 * @param second rank at the other end
 * @param secondDevices its devices
 * @param fault what is wrong with it, if anything is
 */
public record DrawnLink(
    int first,
    List<String> firstDevices,
    int second,
    List<String> secondDevices,
    Optional<String> fault) {

  public DrawnLink {
    firstDevices = List.copyOf(firstDevices);
    secondDevices = List.copyOf(secondDevices);
  }

  /** Whether the topology cannot use it. */
  public boolean isBroken() {
    return fault.isPresent();
  }

  /** Device names of one end, or a dash. */
  static String names(List<String> devices) {
    return devices.isEmpty() ? "-" : String.join(",", devices);
  }
}
