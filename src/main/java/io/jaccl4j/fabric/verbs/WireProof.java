package io.jaccl4j.fabric.verbs;

import io.jaccl4j.fabric.FabricRequest;
import io.jaccl4j.fabric.ProvenFabric;
import io.jaccl4j.fabric.Wire;
import io.jaccl4j.fabric.WireObstacles;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Proves the wires of a group over the data path. Two ranks name their devices each on its own, so
 * that the k-th of one need not be cabled to the k-th of the other. Wires that do not work are
 * tried in other pairings, to tell crossed cables from dead ones. All ranks do the same, since what
 * they do next depends on nothing but what all have gathered.
 */
final class WireProof {
  private static final Logger LOG = LoggerFactory.getLogger(WireProof.class);

  private final FabricRequest request;
  private final VerbsLinks table;
  private final VerbsMemory memory;
  private final VerbsDevice[] devices;
  private final List<VerbsDestination> told;
  private final ProvenFabric.Gathering gathering;
  private final LongSupplier nanoClock;

  /** What this rank's ends are named after. */
  private final Map<Integer, VerbsDevice> configured;

  /** Wires that had been proven and failed while others were tried. */
  private final Map<Integer, String> failedSince = new TreeMap<>();

  private String pairing = "";

  /**
   * A proof of connected links.
   *
   * @param told what all ranks have told of their ends, as configured
   */
  WireProof(
      FabricRequest request,
      VerbsLinks table,
      VerbsMemory memory,
      VerbsDevice[] devices,
      List<VerbsDestination> told,
      ProvenFabric.Gathering gathering,
      LongSupplier nanoClock) {
    this.request = request;
    this.table = table;
    this.memory = memory;
    this.devices = devices;
    this.told = List.copyOf(told);
    this.gathering = gathering;
    this.nanoClock = nanoClock;
    this.configured = table.devices();
  }

  /** Which ends were found to belong together, for people; empty if it is as configured. */
  String pairing() {
    return pairing;
  }

  /** Why wires cannot be used, by their numbers. */
  Map<Integer, String> run(long remainingNanos) {
    long deadlineNanos = nanoClock.getAsLong() + remainingNanos;
    Map<Integer, String> obstacles = attempt(configured.keySet(), Map.of(), deadlineNanos);
    if (obstacles.isEmpty()) {
      return obstacles;
    }
    LOG.info("Rank [{}]: wires without use as configured: {}", request.rank(), obstacles);
    List<WirePair> pairs = pairs(obstacles.keySet());
    for (int shift = 1; shift < longest(pairs); shift++) {
      tryShift(pairs, shift, deadlineNanos);
    }
    return conclude(pairs, obstacles, deadlineNanos);
  }

  private static int longest(List<WirePair> pairs) {
    return pairs.stream().mapToInt(pair -> pair.wires().size()).max().orElse(0);
  }

  /**
   * Tries wires, and gathers what any rank finds wrong with any.
   *
   * @param failed wires of this rank that are known to have failed, and how
   */
  private Map<Integer, String> attempt(
      Set<Integer> wires, Map<Integer, String> failed, long deadlineNanos) {
    List<VerbsLink> links = wires.stream().map(table::ofWire).toList();
    long now = nanoClock.getAsLong();
    // Half of what is left: the rest is for finding out what is wrong.
    Map<Integer, String> own = new TreeMap<>(failed);
    new LinkTrial(request, table, memory, devices, links)
        .run(nanoClock, now + Math.max(0, deadlineNanos - now) / 2)
        .forEach(own::putIfAbsent);
    Map<Integer, String> obstacles =
        WireObstacles.of(gathering.gather(new WireObstacles(own).encode())).byWire();
    for (VerbsLink link : links) {
      if (!obstacles.containsKey(link.wire())) {
        link.settle();
      }
    }
    return obstacles;
  }

  private List<WirePair> pairs(Set<Integer> wires) {
    return wires.stream()
        .map(number -> request.wires().get(number))
        .collect(
            Collectors.groupingBy(wire -> List.of(lower(wire), higher(wire)), Collectors.toList()))
        .entrySet()
        .stream()
        .sorted(Map.Entry.comparingByKey((a, b) -> a.toString().compareTo(b.toString())))
        .map(
            entry ->
                new WirePair(
                    entry.getKey().getFirst(),
                    entry.getKey().getLast(),
                    entry.getValue().stream().map(Wire::number).sorted().toList()))
        .toList();
  }

  private static int lower(Wire wire) {
    return Math.min(wire.first(), wire.second());
  }

  private static int higher(Wire wire) {
    return Math.max(wire.first(), wire.second());
  }

  /** Tries all pairs that are not known yet with the higher rank's ends shifted. */
  private void tryShift(List<WirePair> pairs, int shift, long deadlineNanos) {
    List<WirePair> wanting = pairs.stream().filter(pair -> pair.wants(shift)).toList();
    Map<Integer, Integer> ends = new TreeMap<>();
    wanting.forEach(
        pair -> pair.wires().forEach(wire -> ends.put(wire, pair.shifted(wire, shift))));
    Map<Integer, String> obstacles = attempt(ends, deadlineNanos);
    for (WirePair pair : wanting) {
      for (int wire : pair.wires()) {
        if (!obstacles.containsKey(wire)) {
          pair.found(wire, ends.get(wire));
        }
      }
    }
  }

  /**
   * Makes wires anew and tries them.
   *
   * @param ends by number of a wire, which of the higher rank's ends it gets
   * @return what is wrong with any of these
   */
  private Map<Integer, String> attempt(Map<Integer, Integer> ends, long deadlineNanos) {
    Map<Integer, VerbsDevice> own = new TreeMap<>();
    ends.forEach(
        (number, end) -> {
          Wire wire = request.wires().get(number);
          if (wire.ends(request.rank())) {
            own.put(number, configured.get(request.rank() == higher(wire) ? end : number));
          }
        });
    Map<Integer, String> failed = table.remake(own);
    List<byte[]> destinations = gathering.gather(table.destination(own.keySet()).encode());
    for (int number : own.keySet()) {
      VerbsLink link = table.ofWire(number);
      table.connect(link, VerbsDestination.decode(link.peer(), destinations.get(link.peer())));
    }
    gathering.gather(new byte[0]);
    Map<Integer, String> obstacles =
        new TreeMap<>(attempt(new TreeSet<>(own.keySet()), failed, deadlineNanos));
    failedSince.keySet().removeAll(ends.keySet());
    obstacles.forEach(
        (wire, why) -> {
          if (!ends.containsKey(wire)) {
            failedSince.putIfAbsent(wire, why + ", after it had worked");
          }
        });
    obstacles.keySet().retainAll(ends.keySet());
    return obstacles;
  }

  /** Pairs the ends anew if that is wanted, and says what cannot be used. */
  private Map<Integer, String> conclude(
      List<WirePair> pairs, Map<Integer, String> obstacles, long deadlineNanos) {
    Map<Integer, String> useless = new TreeMap<>();
    Map<Integer, Integer> ends = new TreeMap<>();
    for (WirePair pair : pairs) {
      boolean mended = request.settings().verbs().pairWires() && pair.isComplete();
      for (int wire : pair.wires()) {
        if (mended) {
          ends.put(wire, pair.reached(wire));
        } else {
          useless.put(wire, explain(pair, wire, obstacles.get(wire)));
        }
      }
    }
    if (!ends.isEmpty()) {
      useless.putAll(attempt(ends, deadlineNanos));
      String found = pairing(pairs, ends.keySet());
      pairing = " paired by what they reach (" + found + ")";
      LOG.warn(
          "Group [{}] rank [{}]: cables are crossed, wires were paired anew: [{}]",
          request.settings().name(),
          request.rank(),
          found);
    }
    failedSince.forEach(useless::putIfAbsent);
    return useless;
  }

  private String pairing(List<WirePair> pairs, Set<Integer> wires) {
    return pairs.stream()
        .flatMap(
            pair ->
                pair.wires().stream()
                    .filter(wires::contains)
                    .map(
                        wire ->
                            "wire "
                                + wire
                                + ": "
                                + deviceOf(pair.lower(), wire)
                                + " and "
                                + deviceOf(pair.higher(), pair.reached(wire))))
        .collect(Collectors.joining(", "));
  }

  private String explain(WirePair pair, int wire, String obstacle) {
    String from = deviceOf(pair.lower(), wire);
    String to = deviceOf(pair.higher(), wire);
    int reached = pair.reached(wire);
    return reached < 0
        ? "nothing gets through between "
            + from
            + " and "
            + to
            + " ("
            + obstacle
            + "); check the cable between the two, and that both have addresses of one network"
        : from
            + " reaches "
            + deviceOf(pair.higher(), reached)
            + ", not "
            + to
            + ": the cables are crossed; swap them, or the names in jaccl4j.verbs.devices of one"
            + " of the two ranks, or set jaccl4j.verbs.pair-wires = on on all ranks";
  }

  private String deviceOf(int rank, int wire) {
    return "device "
        + told.get(rank).ends().get(wire).device()
        + " of "
        + request.members().get(rank);
  }
}
