package io.jaccl4j.fabric.verbs;

import io.jaccl4j.GroupSettings;
import io.jaccl4j.fabric.FabricRequest;
import io.jaccl4j.fabric.Wire;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which device each wire of a rank uses. By the device matrix, the k-th wire to a peer takes the
 * k-th name of their cell; without one, the k-th name of the rank's list. A ring of two has twice
 * as many wires as cables: it starts over.
 */
final class DeviceNames {
  private DeviceNames() {}

  /**
   * Names by number of the wire, for the wires that the rank is at.
   *
   * @param defaultDevice what to use where nothing is configured
   */
  static Map<Integer, String> ofWires(FabricRequest request, String defaultDevice) {
    GroupSettings.Verbs settings = request.settings().verbs();
    Map<Integer, Integer> wiresToPeer = new HashMap<>();
    Map<Integer, String> names = new TreeMap<>();
    for (Wire wire : request.wires()) {
      if (wire.ends(request.rank())) {
        int peer = wire.peerOf(request.rank());
        int ordinal = wiresToPeer.merge(peer, 1, Integer::sum) - 1;
        List<String> cell = cell(settings, request.rank(), peer);
        names.put(wire.number(), cell.isEmpty() ? defaultDevice : cell.get(ordinal % cell.size()));
      }
    }
    return names;
  }

  private static List<String> cell(GroupSettings.Verbs settings, int rank, int peer) {
    return settings.deviceMatrix().isEmpty()
        ? settings.devices()
        : settings.deviceMatrix().get(rank).get(peer);
  }
}
