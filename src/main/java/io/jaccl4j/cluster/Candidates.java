package io.jaccl4j.cluster;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Who has announced itself, and when. An announcement is kept whatever the cluster says of its
 * member; it counts while that member is up.
 */
final class Candidates {

  /** Announcements come every tick; a candidate that misses so many is frozen, cut off or gone. */
  static final int SILENT_TICKS = 20;

  private final Map<MemberId, Heard> heard = new HashMap<>();

  private record Heard(Candidate candidate, long tick) {}

  /**
   * Takes an announcement; one of an earlier join of the same member is late and ignored.
   *
   * @return whether it says anything new
   */
  boolean announced(Candidate candidate, long tick) {
    Heard before = heard.get(candidate.id());
    if (before != null && before.candidate().attempt() > candidate.attempt()) {
      return false;
    }
    heard.put(candidate.id(), new Heard(candidate, tick));
    return before == null || !before.candidate().equals(candidate);
  }

  /** Forgets a member until it announces itself again. */
  void drop(MemberId id) {
    heard.remove(id);
  }

  /** Forgets the silent ones. */
  void dropSilent(long tick) {
    heard.values().removeIf(h -> tick - h.tick() > SILENT_TICKS);
  }

  /** Highest epoch that anyone knows. */
  long highestEpoch() {
    return heard.values().stream().mapToLong(h -> h.candidate().highestEpoch()).max().orElse(0);
  }

  Optional<Candidate> find(MemberId id) {
    return Optional.ofNullable(heard.get(id)).map(Heard::candidate);
  }

  /** Those that count now, the oldest member first. */
  List<Candidate> present(ClusterView view) {
    return heard.values().stream()
        .map(Heard::candidate)
        .filter(candidate -> view.isUp(candidate.id()))
        .sorted((a, b) -> view.compareAge(a.id(), b.id()))
        .toList();
  }
}
