package io.jaccl4j.fabric.verbs;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The wires between two ranks that do not work as they are paired, and what was found out about
 * which end of theirs reaches which. Ends are named after the wires that they are configured for;
 * the lower rank keeps its own while the higher one tries others.
 */
final class WirePair {
  private final int lower;
  private final int higher;
  private final List<Integer> wires;

  /** By wire of the lower rank's end, the wire of the higher rank's end that it reaches. */
  private final Map<Integer, Integer> reached = new TreeMap<>();

  WirePair(int lower, int higher, List<Integer> wires) {
    this.lower = lower;
    this.higher = higher;
    this.wires = List.copyOf(wires);
  }

  int lower() {
    return lower;
  }

  int higher() {
    return higher;
  }

  List<Integer> wires() {
    return wires;
  }

  /** Whether another shift may tell more. */
  boolean wants(int shift) {
    return shift < wires.size() && reached.size() < wires.size();
  }

  /**
   * Which of the higher rank's ends a wire gets when all of them are shifted.
   *
   * @param shift from 0, which is as configured
   */
  int shifted(int wire, int shift) {
    return wires.get((wires.indexOf(wire) + shift) % wires.size());
  }

  /** A wire worked with one of the higher rank's ends. */
  void found(int wire, int end) {
    reached.putIfAbsent(wire, end);
  }

  /** The end that the lower rank's end of a wire reaches, or -1 if it reaches none. */
  int reached(int wire) {
    return reached.getOrDefault(wire, -1);
  }

  /** Whether each end reaches another one. */
  boolean isComplete() {
    return reached.values().stream().distinct().count() == wires.size();
  }
}
