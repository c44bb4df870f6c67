package io.jaccl4j.fabric.verbs;

import io.jaccl4j.WireMode;
import io.jaccl4j.fabric.Cleanup;
import io.jaccl4j.fabric.FabricRequest;
import io.jaccl4j.fabric.verbs.abi.IbvConstants;
import io.jaccl4j.fabric.verbs.abi.Ibverbs;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens the devices that a rank's wires use and compares them with what the rank will make of them,
 * before anything is made.
 */
final class DeviceOpening {
  private static final Logger LOG = LoggerFactory.getLogger(DeviceOpening.class);

  private final FabricRequest request;
  private final Ibverbs verbs;
  private final DeviceLedger ledger;
  private final GidWait gidWait;

  /** Gives back what was opened and set aside; does nothing where a fabric has done so. */
  private final List<Runnable> undo = new ArrayList<>();

  DeviceOpening(FabricRequest request, Ibverbs verbs, DeviceLedger ledger, GidWait gidWait) {
    this.request = request;
    this.verbs = verbs;
    this.ledger = ledger;
    this.gidWait = gidWait;
  }

  /**
   * Devices that will do.
   *
   * @param ofWire by number of the wire
   */
  record Devices(VerbsPlan plan, Map<Integer, VerbsDevice> ofWire) {}

  /** Opens them; throws with all findings if one will not do. */
  Devices open(Map<Integer, String> nameOfWire) {
    List<String> names = nameOfWire.values().stream().distinct().toList();
    Preflight.conclude(request.rank(), Preflight.missingDevices(names, DeviceContext.names(verbs)));
    Map<String, DeviceContext> contexts = new LinkedHashMap<>();
    Map<String, PortState> ports = new LinkedHashMap<>();
    for (String name : names) {
      DeviceContext context = DeviceContext.open(verbs, name);
      undo.add(context::close);
      contexts.put(name, context);
      ports.put(name, context.port());
    }
    boolean thunderbolt = ports.values().stream().anyMatch(PortState::isThunderbolt);
    VerbsPlan plan = VerbsPlan.of(request, thunderbolt);
    warnOfLosses(plan, thunderbolt);

    Preflight preflight = new Preflight(request, plan);
    Map<String, VerbsDevice> devices = new LinkedHashMap<>();
    contexts.forEach(
        (name, context) -> {
          int links = (int) nameOfWire.values().stream().filter(name::equals).count();
          device(context, plan, ports.get(name), links, preflight)
              .ifPresent(device -> devices.put(name, device));
        });
    preflight.conclude();

    Map<Integer, VerbsDevice> ofWire = new LinkedHashMap<>();
    nameOfWire.forEach((wire, name) -> ofWire.put(wire, devices.get(name)));
    return new Devices(plan, ofWire);
  }

  private Optional<VerbsDevice> device(
      DeviceContext context, VerbsPlan plan, PortState port, int links, Preflight preflight) {
    DeviceLimits limits =
        port.isThunderbolt() ? context.limits().onThunderbolt() : context.limits();
    preflight.compare(context.name(), limits, port, links);
    Optional<DeviceLedger.Entry> share = preflight.reserve(ledger, context.name(), limits, links);
    share.ifPresent(entry -> undo.add(entry::release));
    Optional<Gid> gid = gid(context, port, preflight);
    return share.isPresent() && gid.isPresent()
        ? Optional.of(new VerbsDevice(context, share.get(), plan.regions(limits), port, gid.get()))
        : Optional.empty();
  }

  private Optional<Gid> gid(DeviceContext context, PortState port, Preflight preflight) {
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

  private void warnOfLosses(VerbsPlan plan, boolean thunderbolt) {
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

  /** Gives everything back. */
  void undoAfter(RuntimeException cause) {
    try {
      Cleanup.runAll(undo);
    } catch (RuntimeException e) {
      cause.addSuppressed(e);
    }
  }
}
