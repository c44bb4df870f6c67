package io.jaccl4j.cluster;

import io.jaccl4j.FormationException.Reason;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Finds what keeps candidates from forming one group. Every member that sees them decides alike.
 */
final class Conflicts {

  private Conflicts() {}

  /**
   * The first conflict.
   *
   * @param byAge candidates, the oldest member first
   * @param size ranks of the group, as the deciding member has it
   */
  static Optional<Refusal> among(String group, List<Candidate> byAge, int size) {
    return settingsDiffer(group, byAge)
        .or(() -> rankOutOfRange(group, byAge, size))
        .or(() -> rankTakenTwice(group, byAge));
  }

  private static Optional<Refusal> settingsDiffer(String group, List<Candidate> byAge) {
    for (int i = 1; i < byAge.size(); i++) {
      Optional<Refusal> difference = firstDifference(group, byAge.getFirst(), byAge.get(i));
      if (difference.isPresent()) {
        return difference;
      }
    }
    return Optional.empty();
  }

  private static Optional<Refusal> firstDifference(String group, Candidate older, Candidate other) {
    TreeSet<String> keys = new TreeSet<>(older.mustMatch().keySet());
    keys.addAll(other.mustMatch().keySet());
    for (String key : keys) {
      String olderValue = older.mustMatch().getOrDefault(key, "not there");
      String otherValue = other.mustMatch().getOrDefault(key, "not there");
      if (!olderValue.equals(otherValue)) {
        return Optional.of(
            new Refusal(
                Reason.SETTINGS_DIFFER,
                ("group [%s]: %s is [%s] on %s and [%s] on %s;"
                        + " make it equal on all ranks and join again")
                    .formatted(group, key, olderValue, older.id(), otherValue, other.id())));
      }
    }
    return Optional.empty();
  }

  private static Optional<Refusal> rankOutOfRange(String group, List<Candidate> byAge, int size) {
    return byAge.stream()
        .filter(candidate -> candidate.fixedRank().isPresent())
        .filter(
            candidate ->
                candidate.fixedRank().getAsInt() < 0 || candidate.fixedRank().getAsInt() >= size)
        .findFirst()
        .map(
            candidate ->
                new Refusal(
                    Reason.RANK_CONFLICT,
                    "group [%s]: jaccl4j.group.rank is [%d] on %s, want 0 to %d in a group of %d"
                        .formatted(
                            group,
                            candidate.fixedRank().getAsInt(),
                            candidate.id(),
                            size - 1,
                            size)));
  }

  private static Optional<Refusal> rankTakenTwice(String group, List<Candidate> byAge) {
    Map<Integer, Candidate> owners = new HashMap<>();
    for (Candidate candidate : byAge) {
      if (candidate.fixedRank().isPresent()) {
        int rank = candidate.fixedRank().getAsInt();
        Candidate first = owners.putIfAbsent(rank, candidate);
        if (first != null) {
          return Optional.of(
              new Refusal(
                  Reason.RANK_CONFLICT,
                  ("group [%s]: jaccl4j.group.rank is [%d] on both %s and %s;"
                          + " give each rank once, or auto")
                      .formatted(group, rank, first.id(), candidate.id())));
        }
      }
    }
    return Optional.empty();
  }
}
