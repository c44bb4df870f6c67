package io.jaccl4j.fabric.verbs;

import io.jaccl4j.fabric.FabricException;
import io.jaccl4j.fabric.verbs.abi.IbvNames;
import io.jaccl4j.fabric.verbs.abi.Ibverbs;
import io.jaccl4j.fabric.verbs.abi.OperatingSystem;
import io.jaccl4j.fabric.verbs.abi.VerbsLibrary;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * All RDMA devices of this machine and what they say of themselves. For any thread; may take as
 * long as the driver takes to answer.
 *
 * @param devices in the library's order
 * @param hint why there is none and what to do, or empty
 */
public record DeviceSurvey(List<Device> devices, Optional<String> hint) {

  /**
   * One device.
   *
   * @param guid four groups of four hexadecimal digits
   * @param port its first port, empty if it could not be asked
   * @param problem what went wrong when it was asked, or empty
   */
  public record Device(
      String name,
      String guid,
      Optional<Port> port,
      Optional<Limits> limits,
      Optional<String> problem) {}

  /**
   * A port.
   *
   * @param state ACTIVE if it can be used
   * @param linkLayer kind of network
   * @param activeMtuBytes bytes of a packet
   * @param maxMtuBytes bytes of a packet at most
   * @param lid local identifier, 0 where ports are addressed by GID
   * @param gids the entries of its GID table that hold something
   * @param chosenGid index of the one that a group takes unless told otherwise, -1 if none will do
   */
  public record Port(
      String state,
      String linkLayer,
      int activeMtuBytes,
      int maxMtuBytes,
      int lid,
      List<GidEntry> gids,
      int chosenGid) {}

  /**
   * An entry of a GID table.
   *
   * @param type for instance {@code RoCE v2}, empty if the system does not say
   * @param networkInterface empty if the system does not say
   */
  public record GidEntry(int index, String address, String type, String networkInterface) {}

  /** What the device can do at most; see {@code ibv_query_device(3)}. */
  public record Limits(
      int queuePairs,
      int workRequests,
      int completionEntries,
      int memoryRegions,
      long regionBytes) {}

  public DeviceSurvey {
    devices = List.copyOf(devices);
  }

  /**
   * Asks all devices.
   *
   * @param library path of the verbs library, or empty for the system's
   */
  public static DeviceSurvey take(Optional<Path> library) {
    return switch (VerbsLibrary.load(library)) {
      case VerbsLibrary.Unavailable unavailable ->
          new DeviceSurvey(List.of(), Optional.of(unavailable.reason()));
      case VerbsLibrary.Loaded loaded -> take(loaded.verbs());
    };
  }

  private static DeviceSurvey take(Ibverbs verbs) {
    List<Device> devices = new ArrayList<>();
    try {
      for (String name : DeviceContext.names(verbs)) {
        devices.add(ask(verbs, name));
      }
    } catch (FabricException e) {
      return new DeviceSurvey(List.of(), Optional.of(e.getMessage()));
    }
    return new DeviceSurvey(
        devices,
        devices.isEmpty()
            ? Optional.of("there is no RDMA device; " + OperatingSystem.current().remedy())
            : Optional.empty());
  }

  private static Device ask(Ibverbs verbs, String name) {
    try (DeviceContext context = DeviceContext.open(verbs, name)) {
      PortState port = context.port();
      DeviceLimits limits = context.limits();
      return new Device(
          name,
          guid(context.guid()),
          Optional.of(describe(port, context.gids(port))),
          Optional.of(
              new Limits(
                  limits.maxQueuePairs(),
                  limits.maxWorkRequests(),
                  limits.maxCompletionEntries(),
                  limits.maxMemoryRegions(),
                  limits.maxRegionBytes())),
          Optional.empty());
    } catch (FabricException e) {
      return new Device(name, "", Optional.empty(), Optional.empty(), Optional.of(e.getMessage()));
    }
  }

  private static Port describe(PortState port, List<Gid> gids) {
    return new Port(
        IbvNames.portState(port.state()),
        IbvNames.linkLayer(port.linkLayer()),
        IbvNames.mtuBytes(port.activeMtu()),
        IbvNames.mtuBytes(port.maxMtu()),
        port.lid(),
        gids.stream()
            .map(gid -> new GidEntry(gid.index(), gid.address(), gid.type(), gid.interfaceName()))
            .toList(),
        GidChoice.choose(gids, OptionalInt.empty()).map(Gid::index).orElse(-1));
  }

  private static String guid(long guid) {
    String digits = HexFormat.of().toHexDigits(guid);
    return String.join(
        ":",
        digits.substring(0, 4),
        digits.substring(4, 8),
        digits.substring(8, 12),
        digits.substring(12));
  }
}
