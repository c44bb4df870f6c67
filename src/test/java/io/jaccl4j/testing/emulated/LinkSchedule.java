package io.jaccl4j.testing.emulated;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which messages an operation should exchange on every wire and direction, to be compared with what
 * a network recorded. What is not stated is expected to be silent.
 */
public final class LinkSchedule {
  private final Map<Direction, MessageRuns> expected = new TreeMap<>();

  private record Direction(int wire, int sender) implements Comparable<Direction> {
    @Override
    public int compareTo(Direction other) {
      return wire != other.wire
          ? Integer.compare(wire, other.wire)
          : Integer.compare(sender, other.sender);
    }
  }

  /** Expects what a rank sends over a wire. */
  public LinkSchedule sends(int wire, int sender, MessageRuns runs) {
    expected.put(new Direction(wire, sender), runs);
    return this;
  }

  /** {@link #sends(int, int, MessageRuns)} in the notation of {@link MessageRuns#parse}. */
  public LinkSchedule sends(int wire, int sender, String runs) {
    return sends(wire, sender, MessageRuns.parse(runs));
  }

  /** Fails unless exactly this was delivered. */
  public void check(NetworkLog log) {
    TreeSet<Direction> directions = new TreeSet<>(expected.keySet());
    for (RecordedMessage message : log.messages()) {
      directions.add(new Direction(message.wire(), message.sender()));
    }
    List<String> differences = new ArrayList<>();
    for (Direction direction : directions) {
      MessageRuns got = log.runs(direction.wire(), direction.sender());
      MessageRuns want = expected.getOrDefault(direction, MessageRuns.NONE);
      if (!got.equals(want)) {
        differences.add(
            "rank "
                + direction.sender()
                + " on wire "
                + direction.wire()
                + ": "
                + got
                + ", want "
                + want);
      }
    }
    if (!differences.isEmpty()) {
      throw new AssertionError(String.join("; ", differences));
    }
  }
}
