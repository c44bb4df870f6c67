package io.jaccl4j.fabric.verbs;

import io.jaccl4j.GroupSettings;
import io.jaccl4j.fabric.Fabric;
import io.jaccl4j.fabric.FabricException;
import io.jaccl4j.fabric.FabricProvider;
import io.jaccl4j.fabric.FabricRequest;
import io.jaccl4j.fabric.verbs.abi.IbvNames;
import io.jaccl4j.fabric.verbs.abi.Ibverbs;
import io.jaccl4j.fabric.verbs.abi.OperatingSystem;
import io.jaccl4j.fabric.verbs.abi.OwnerThread;
import io.jaccl4j.fabric.verbs.abi.ThreadBoundIbverbs;
import io.jaccl4j.fabric.verbs.abi.VerbsLibrary;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/** RDMA: InfiniBand, RoCE and iWARP cards on Linux, Thunderbolt on macOS. */
public final class VerbsFabricProvider implements FabricProvider {
  static final String NAME = "verbs";

  private final LongSupplier nanoClock;

  /**
   * The provider.
   *
   * @param nanoClock as {@link System#nanoTime}
   */
  public VerbsFabricProvider(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Optional<String> unavailableBecause(GroupSettings settings) {
    return switch (VerbsLibrary.load(settings.verbs().library())) {
      case VerbsLibrary.Unavailable unavailable -> Optional.of(unavailable.reason());
      case VerbsLibrary.Loaded loaded -> obstacle(loaded.verbs(), settings);
    };
  }

  private static Optional<String> obstacle(Ibverbs verbs, GroupSettings settings) {
    List<String> present;
    try {
      present = DeviceContext.names(verbs);
    } catch (FabricException e) {
      return Optional.of(e.getMessage());
    }
    if (present.isEmpty()) {
      return Optional.of("there is no RDMA device; " + OperatingSystem.current().remedy());
    }
    List<String> missing = Preflight.missingDevices(settings.verbs().devices(), present);
    return missing.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", missing));
  }

  /** The kind of network. Whether two ports really reach each other shows when they connect. */
  @Override
  public String reach(GroupSettings settings) {
    Ibverbs verbs = library(settings).verbs();
    try (DeviceContext context = DeviceContext.open(verbs, defaultDevice(verbs, settings))) {
      return IbvNames.linkLayer(context.port().linkLayer());
    }
  }

  @Override
  public Map<Integer, String> unusableWires(FabricRequest request) {
    Ibverbs verbs = library(request.settings()).verbs();
    Map<Integer, String> nameOfWire =
        DeviceNames.ofWires(request, defaultDevice(verbs, request.settings()));
    List<String> present = DeviceContext.names(verbs);
    Map<Integer, String> unusable = new TreeMap<>();
    nameOfWire.forEach(
        (wire, name) -> obstacle(verbs, name, present).ifPresent(why -> unusable.put(wire, why)));
    return unusable;
  }

  private static Optional<String> obstacle(Ibverbs verbs, String name, List<String> present) {
    if (!present.contains(name)) {
      return Optional.of("there is no device " + name);
    }
    try (DeviceContext context = DeviceContext.open(verbs, name)) {
      PortState port = context.port();
      return port.isActive()
          ? Optional.empty()
          : Optional.of("device " + name + ": port 1 is " + IbvNames.portState(port.state()));
    } catch (FabricException e) {
      return Optional.of(e.getMessage());
    }
  }

  @Override
  public Fabric open(FabricRequest request) {
    GroupSettings settings = request.settings();
    VerbsLibrary.Loaded library = library(settings);
    Ibverbs bound =
        new ThreadBoundIbverbs(library.verbs(), OwnerThread.current(request.calls()::begin));
    Ibverbs verbs = settings.verbs().trace() ? VerbsLibrary.traced(bound) : bound;
    long deadlineNanos = nanoClock.getAsLong() + request.remainingNanos();
    Map<Integer, String> nameOfWire = DeviceNames.ofWires(request, defaultDevice(verbs, settings));
    DeviceOpening opening =
        new DeviceOpening(
            request, verbs, DeviceLedger.of(library), new GidWait(nanoClock, deadlineNanos));
    try {
      DeviceOpening.Devices devices = opening.open(nameOfWire);
      return new VerbsFabric(request, devices.plan(), verbs, devices.ofWire(), nanoClock);
    } catch (RuntimeException e) {
      opening.undoAfter(e);
      throw e;
    }
  }

  private static VerbsLibrary.Loaded library(GroupSettings settings) {
    return switch (VerbsLibrary.load(settings.verbs().library())) {
      case VerbsLibrary.Loaded loaded -> loaded;
      case VerbsLibrary.Unavailable unavailable ->
          throw new FabricException(unavailable.reason(), null);
    };
  }

  /** The first configured device, or the first one whose port is up, or the first one. */
  private static String defaultDevice(Ibverbs verbs, GroupSettings settings) {
    if (!settings.verbs().devices().isEmpty()) {
      return settings.verbs().devices().getFirst();
    }
    List<String> names = DeviceContext.names(verbs);
    if (names.isEmpty()) {
      throw new FabricException(
          "there is no RDMA device; " + OperatingSystem.current().remedy(), null);
    }
    List<String> active = new ArrayList<>();
    for (String name : names) {
      try (DeviceContext context = DeviceContext.open(verbs, name)) {
        if (context.port().isActive()) {
          active.add(name);
        }
      }
    }
    return active.isEmpty() ? names.getFirst() : active.getFirst();
  }
}
