package io.jaccl4j.fabric.verbs;

import io.jaccl4j.fabric.verbs.abi.Ibverbs;
import io.jaccl4j.fabric.verbs.abi.VerbsLibrary;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/**
 * What the groups of this process have of the devices of one library. A device's limits are for all
 * groups together, and what a driver says when they are exceeded helps nobody. Other processes are
 * not known here. For any thread.
 */
final class DeviceLedger {
  private static final ConcurrentMap<Ibverbs, DeviceLedger> LEDGERS = new ConcurrentHashMap<>();

  private final Map<String, List<Entry>> entriesOfDevice = new HashMap<>();

  private DeviceLedger() {}

  /** The ledger of a library: one for all groups of this process. */
  static DeviceLedger of(VerbsLibrary.Loaded library) {
    return LEDGERS.computeIfAbsent(library.verbs(), verbs -> new DeviceLedger());
  }

  /** What comes of asking for a share. */
  sealed interface Outcome {}

  /**
   * It exceeds limits.
   *
   * @param shortages what is short, and who has it
   */
  record Refused(List<String> shortages) implements Outcome {}

  /** A share that is set aside until it is released. */
  final class Entry implements Outcome {
    private final String device;
    private final String holder;
    private final DeviceShare share;

    private Entry(String device, String holder, DeviceShare share) {
      this.device = device;
      this.holder = holder;
      this.share = share;
    }

    /** All of it is given back. Idempotent. */
    void release() {
      synchronized (DeviceLedger.this) {
        entriesOfDevice.getOrDefault(device, List.of()).remove(this);
      }
    }
  }

  /** One kind of thing, how much of it a share has, and the limit, negative if there is none. */
  private record Kind(String name, ToIntFunction<DeviceShare> count, int limit) {}

  /**
   * Sets a share aside, all of it or nothing.
   *
   * @param holder who wants it, for the errors of others
   */
  synchronized Outcome reserve(
      String device, String holder, DeviceShare wanted, DeviceLimits limits) {
    List<Entry> entries = entriesOfDevice.computeIfAbsent(device, name -> new ArrayList<>());
    List<String> shortages = new ArrayList<>();
    for (Kind kind : kinds(limits)) {
      int need = kind.count.applyAsInt(wanted);
      int used = entries.stream().mapToInt(entry -> kind.count.applyAsInt(entry.share)).sum();
      if (kind.limit >= 0 && (long) used + need > kind.limit) {
        shortages.add(shortage(kind, need, used, entries));
      }
    }
    if (!shortages.isEmpty()) {
      return new Refused(shortages);
    }
    Entry entry = new Entry(device, holder, wanted);
    entries.add(entry);
    return entry;
  }

  private static List<Kind> kinds(DeviceLimits limits) {
    return List.of(
        new Kind("queue pairs", DeviceShare::queuePairs, limits.maxQueuePairs()),
        new Kind("memory regions", DeviceShare::memoryRegions, named(limits.maxMemoryRegions())),
        new Kind(
            "completion queues",
            DeviceShare::completionQueues,
            named(limits.maxCompletionQueues())),
        new Kind(
            "protection domains",
            DeviceShare::protectionDomains,
            named(limits.maxProtectionDomains())));
  }

  /** A provider that names no limit says 0. */
  private static int named(int limit) {
    return limit == 0 ? -1 : limit;
  }

  private static String shortage(Kind kind, int need, int used, List<Entry> entries) {
    String wish = "needs " + need + " " + kind.name;
    if (used == 0) {
      return wish + ", the limit is " + kind.limit;
    }
    String holders =
        entries.stream()
            .filter(entry -> kind.count.applyAsInt(entry.share) > 0)
            .map(entry -> kind.count.applyAsInt(entry.share) + " by " + entry.holder)
            .collect(Collectors.joining(", "));
    return wish
        + ", "
        + Math.max(0, kind.limit - used)
        + " left of "
        + kind.limit
        + ": in this process "
        + used
        + " are used, "
        + holders;
  }

  /** What is set aside of a device. */
  synchronized DeviceShare used(String device) {
    return entriesOfDevice.getOrDefault(device, List.of()).stream()
        .map(entry -> entry.share)
        .reduce(new DeviceShare(0, 0, 0, 0), DeviceShare::plus);
  }
}
