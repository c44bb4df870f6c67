package io.jaccl4j.fabric.verbs;

import io.jaccl4j.WireMode;
import io.jaccl4j.fabric.FabricException;
import io.jaccl4j.fabric.FabricRequest;
import io.jaccl4j.fabric.verbs.abi.IbvConstants;
import io.jaccl4j.fabric.verbs.abi.IbvNames;
import io.jaccl4j.fabric.verbs.abi.OperatingSystem;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Compares what a rank will ask of its devices with what they say they have, before anything is
 * made of them. Collects all findings, since whoever mends one wants to know of the next.
 */
final class Preflight {
  /** Apple's provider counts a queue's room in frames. */
  private static final int FRAME_BYTES = 4096;

  private static final int MAX_FRAMES_THUNDERBOLT = 4095;

  private final FabricRequest request;
  private final VerbsPlan plan;
  private final List<String> findings = new ArrayList<>();

  Preflight(FabricRequest request, VerbsPlan plan) {
    this.request = request;
    this.plan = plan;
  }

  /** Names that the library does not list. */
  static List<String> missingDevices(List<String> wanted, List<String> present) {
    List<String> findings = new ArrayList<>();
    for (String name : wanted) {
      if (!present.contains(name)) {
        findings.add(
            "there is no device "
                + name
                + ", only "
                + present
                + (present.isEmpty()
                    ? "; " + OperatingSystem.current().remedy()
                    : "; set jaccl4j.verbs.devices, names can change when cables do"));
      }
    }
    return findings;
  }

  void addFinding(String finding) {
    findings.add(finding);
  }

  /** Compares with one device. */
  void compare(String device, DeviceLimits limits, PortState port, int linksOfDevice) {
    QueuePairPlan queuePair = plan.queuePair();
    if (!port.isActive()) {
      find(
          device,
          "port 1 is " + IbvNames.portState(port.state()),
          "want ACTIVE; check the cable, and set the interface up");
    }
    atMost(device, "sends in one queue", queuePair.sends(), limits.maxWorkRequests());
    atMost(device, "receives in one queue", queuePair.receives(), limits.maxWorkRequests());
    atMost(
        device,
        "completion entries",
        plan.completionEntries(linksOfDevice),
        limits.maxCompletionEntries());
    if (plan.regions(limits).count() > 1) {
      atMost(
          device,
          "bytes in one region",
          RegionPlan.smallestBytes(plan.slotBytes()),
          limits.maxRegionBytes());
    }
    atMost(
        device,
        "bytes in one message",
        request.settings().memory().slotBytes(),
        port.maxMessageBytes() == 0 ? Long.MAX_VALUE : port.maxMessageBytes());
    if (port.isThunderbolt()) {
      compareThunderbolt(device);
    }
  }

  /**
   * Sets aside what this rank will make of one device.
   *
   * @return the entry, or empty if other groups of this process have too much of it already
   */
  Optional<DeviceLedger.Entry> reserve(
      DeviceLedger ledger, String device, DeviceLimits limits, int linksOfDevice) {
    String holder = "group [" + request.settings().name() + "] rank " + request.rank();
    return switch (ledger.reserve(device, holder, plan.share(limits, linksOfDevice), limits)) {
      case DeviceLedger.Entry entry -> Optional.of(entry);
      case DeviceLedger.Refused refused -> {
        refused
            .shortages()
            .forEach(
                shortage ->
                    find(
                        device,
                        shortage,
                        "close groups that are not needed, use more devices, or fewer ranks or"
                            + " wires per device"));
        yield Optional.empty();
      }
    };
  }

  private void compareThunderbolt(String device) {
    int framesPerSlot = request.settings().memory().slotBytes() / FRAME_BYTES;
    atMost(
        device,
        "frames in one queue",
        (long) framesPerSlot * plan.queuePair().receives(),
        MAX_FRAMES_THUNDERBOLT);
    if (request.settings().wire() == WireMode.EXACT) {
      find(
          device,
          "a message must have as many frames as the receive that takes it",
          "set jaccl4j.wire = mlx on all ranks");
    }
    if (plan.queuePair().type() == IbvConstants.IBV_QPT_RC) {
      find(
          device,
          "the provider has no reliable connections",
          "set jaccl4j.verbs.queue-pair = auto on all ranks");
    }
  }

  private void atMost(String device, String what, long need, long limit) {
    // Counters of the header are signed: a provider without a limit may say -1.
    if (limit >= 0 && Long.compareUnsigned(need, limit) > 0) {
      find(
          device,
          "needs " + need + " " + what + ", the limit is " + limit,
          "use fewer ranks or wires per device, or a smaller jaccl4j.memory.slot-bytes and"
              + " registered-bytes");
    }
  }

  private void find(String device, String what, String remedy) {
    findings.add("device " + device + ": " + what + "; " + remedy);
  }

  /** Throws if there is anything. */
  void conclude() {
    conclude(request.rank(), findings);
  }

  static void conclude(int rank, List<String> findings) {
    if (!findings.isEmpty()) {
      throw new FabricException(
          "rank " + rank + " cannot use its devices: " + String.join("; and ", findings), null);
    }
  }
}
