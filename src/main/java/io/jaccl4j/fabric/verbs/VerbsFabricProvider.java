package io.jaccl4j.fabric.verbs;

import io.jaccl4j.GroupSettings;
import io.jaccl4j.WireMode;
import io.jaccl4j.fabric.Cleanup;
import io.jaccl4j.fabric.Fabric;
import io.jaccl4j.fabric.FabricException;
import io.jaccl4j.fabric.FabricProvider;
import io.jaccl4j.fabric.FabricRequest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** RDMA: InfiniBand, RoCE and iWARP cards on Linux, Thunderbolt on macOS. */
public final class VerbsFabricProvider implements FabricProvider {
  static final String NAME = "verbs";

  private static final Logger LOG = LoggerFactory.getLogger(VerbsFabricProvider.class);

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
    List<String> present = DeviceContext.names(verbs);
    if (present.isEmpty()) {
      return Optional.of("there is no RDMA device; " + OperatingSystem.current().remedy());
    }
    List<String> missing = Preflight.missingDevices(settings.verbs().devices(), present);
    return missing.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", missing));
  }

  /** The kind of network. Whether two ports really reach each other shows when they connect. */
  @Override
  public String reach(GroupSettings settings) {
    Ibverbs verbs = library(settings);
    try (DeviceContext context = DeviceContext.open(verbs, defaultDevice(verbs, settings))) {
      return IbvNames.linkLayer(context.port().linkLayer());
    }
  }

  @Override
  public Fabric open(FabricRequest request) {
    GroupSettings settings = request.settings();
    Ibverbs bound = new ThreadBoundIbverbs(library(settings), OwnerThread.current());
    Ibverbs verbs = settings.verbs().trace() ? VerbsLibrary.traced(bound) : bound;
    long deadlineNanos = nanoClock.getAsLong() + request.remainingNanos();
    Map<Integer, String> nameOfWire = DeviceNames.ofWires(request, defaultDevice(verbs, settings));
    List<String> names = nameOfWire.values().stream().distinct().toList();
    Preflight.conclude(request.rank(), Preflight.missingDevices(names, DeviceContext.names(verbs)));

    Map<String, DeviceContext> contexts = new LinkedHashMap<>();
    try {
      for (String name : names) {
        contexts.put(name, DeviceContext.open(verbs, name));
      }
      return open(request, verbs, nameOfWire, contexts, deadlineNanos);
    } catch (RuntimeException e) {
      // Closes again what the fabric has closed, which does nothing.
      closeAfter(e, contexts);
      throw e;
    }
  }

  private Fabric open(
      FabricRequest request,
      Ibverbs verbs,
      Map<Integer, String> nameOfWire,
      Map<String, DeviceContext> contexts,
      long deadlineNanos) {
    Map<String, PortState> ports = new LinkedHashMap<>();
    contexts.forEach((name, context) -> ports.put(name, context.port()));
    boolean thunderbolt = ports.values().stream().anyMatch(PortState::isThunderbolt);
    VerbsPlan plan = VerbsPlan.of(request, thunderbolt);
    warnOfLosses(request, plan, thunderbolt);

    Preflight preflight = new Preflight(request, plan);
    GidWait gidWait = new GidWait(nanoClock, deadlineNanos);
    Map<String, VerbsDevice> devices = new LinkedHashMap<>();
    contexts.forEach(
        (name, context) -> {
          PortState port = ports.get(name);
          int links = (int) nameOfWire.values().stream().filter(name::equals).count();
          preflight.compare(name, context.limits(), port, links);
          gid(request, context, port, gidWait, preflight)
              .ifPresent(gid -> devices.put(name, new VerbsDevice(context, port, gid)));
        });
    preflight.conclude();

    Map<Integer, VerbsDevice> deviceOfWire = new LinkedHashMap<>();
    nameOfWire.forEach((wire, name) -> deviceOfWire.put(wire, devices.get(name)));
    return new VerbsFabric(request, plan, verbs, deviceOfWire, nanoClock);
  }

  private static Optional<Gid> gid(
      FabricRequest request,
      DeviceContext context,
      PortState port,
      GidWait gidWait,
      Preflight preflight) {
    if (!port.needsGid()) {
      return Optional.of(new Gid(0, new byte[Gid.BYTES], "", ""));
    }
    Optional<Gid> gid =
        port.isActive()
            ? gidWait.find(context, port, request.settings().verbs().gidIndex())
            : Optional.empty();
    if (port.isActive() && gid.isEmpty()) {
      preflight.addFinding(
          "device "
              + context.name()
              + ": its port has no usable GID"
              + (request.settings().verbs().gidIndex().isPresent()
                  ? " at index " + request.settings().verbs().gidIndex().getAsInt()
                  : "")
              + ", only "
              + context.gids(port)
              + "; give its network interface an IPv4 address");
    }
    return gid;
  }

  private static void warnOfLosses(FabricRequest request, VerbsPlan plan, boolean thunderbolt) {
    if (plan.queuePair().type() == IbvConstants.IBV_QPT_UC
        && !thunderbolt
        && request.settings().wire() == WireMode.MLX) {
      LOG.warn(
          "Group [{}] uses unreliable connections without credits, as JACCL does: where the provider"
              + " does not hold a sender that is ahead, messages are lost and the group fails at a"
              + " deadline",
          request.settings().name());
    }
  }

  private static Ibverbs library(GroupSettings settings) {
    return switch (VerbsLibrary.load(settings.verbs().library())) {
      case VerbsLibrary.Loaded loaded -> loaded.verbs();
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

  private static void closeAfter(RuntimeException cause, Map<String, DeviceContext> contexts) {
    try {
      Cleanup.runAll(contexts.values().stream().map(context -> (Runnable) context::close).toList());
    } catch (RuntimeException e) {
      cause.addSuppressed(e);
    }
  }
}
