package io.jaccl4j.engine;

import io.jaccl4j.GroupSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Which wires of each cable a ring uses, if some do not work: the same ones everywhere, since a
 * ring is as wide as its narrowest cable.
 *
 * @param size number of ranks
 * @param wires wires of a cable, as configured
 * @param leftOut which of them are not used, and why; counted from 0
 */
record WireSelection(int size, int wires, SortedMap<Integer, String> leftOut) {
  static final int RANKS_WITH_TWO_CABLES = 2;

  /** All of them. */
  static WireSelection all(int size, int wires) {
    return new WireSelection(size, wires, new TreeMap<>());
  }

  /** Those that are used, by their configured places. */
  List<Integer> used() {
    List<Integer> used = new ArrayList<>();
    for (int wire = 0; wire < wires; wire++) {
      if (!leftOut.containsKey(wire)) {
        used.add(wire);
      }
    }
    return used;
  }

  /**
   * The same without some more.
   *
   * @param useless why, by number of the wire among those of the group as it is selected now
   */
  WireSelection without(Map<Integer, String> useless) {
    List<Integer> used = used();
    SortedMap<Integer, String> more = new TreeMap<>(leftOut);
    useless.forEach(
        (number, why) ->
            more.merge(used.get(number % used.size()), why, (one, two) -> one + "; " + two));
    return new WireSelection(size, wires, more);
  }

  /** The settings of a group with these wires alone. */
  GroupSettings apply(GroupSettings settings) {
    if (leftOut.isEmpty()) {
      return settings;
    }
    GroupSettings.Ring ring = settings.ring();
    GroupSettings.Verbs verbs = settings.verbs();
    return settings
        .withRing(
            new GroupSettings.Ring(
                used().size(), ring.smallBytes(), ring.scatterSmallBytes(), ring.degrade()))
        .withVerbs(
            new GroupSettings.Verbs(
                verbs.library(),
                devices(verbs.devices()),
                verbs.deviceMatrix().stream()
                    .map(row -> row.stream().map(this::devices).toList())
                    .toList(),
                verbs.queuePair(),
                verbs.gidIndex(),
                verbs.pairWires(),
                verbs.trace()));
  }

  /** The devices of the wires to one peer without those of the wires that are left out. */
  private List<String> devices(List<String> configured) {
    if (configured.isEmpty()) {
      return configured;
    }
    List<String> names = new ArrayList<>();
    // In a ring of two both cables lead to the same peer, and names start over after the last.
    int cables = size == RANKS_WITH_TWO_CABLES ? 2 : 1;
    for (int cable = 0; cable < cables; cable++) {
      for (int wire : used()) {
        names.add(configured.get((cable * wires + wire) % configured.size()));
      }
    }
    return names;
  }

  /** For people: which are left out and why; empty if none is. */
  String describe() {
    StringBuilder text = new StringBuilder();
    leftOut.forEach(
        (wire, why) ->
            text.append(text.isEmpty() ? "" : "; ")
                .append("wire ")
                .append(wire)
                .append(" of each cable is left out, ")
                .append(why));
    return text.toString();
  }
}
