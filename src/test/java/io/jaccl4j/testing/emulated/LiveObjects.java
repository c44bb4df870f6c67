package io.jaccl4j.testing.emulated;

import java.util.EnumMap;
import java.util.Map;

/** How many objects of each kind exist. Guarded by the network. */
final class LiveObjects {

  /** What has to be released. */
  enum Kind {
    FABRIC,
    LINK,
    MEMORY,
    RECEIVE_SLOT
  }

  private final Map<Kind, Integer> counts = new EnumMap<>(Kind.class);

  void made(Kind kind) {
    counts.merge(kind, 1, Integer::sum);
  }

  void released(Kind kind, int count) {
    counts.merge(kind, -count, Integer::sum);
  }

  boolean areNone() {
    return counts.values().stream().allMatch(count -> count == 0);
  }

  @Override
  public String toString() {
    return counts.toString();
  }
}
