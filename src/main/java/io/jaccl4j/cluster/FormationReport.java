package io.jaccl4j.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Puts into words why a group was not complete at its deadline. */
final class FormationReport {

  private FormationReport() {}

  /**
   * What a deadline error says.
   *
   * @param present candidates that count, the oldest member first
   * @param silentMembers members that are up and could be ranks but have not announced themselves
   * @param notUp other members with their status
   * @param awaited members whose agreement is outstanding
   */
  static String timeout(
      JoinRequest request,
      List<Candidate> present,
      List<MemberId> silentMembers,
      List<String> notUp,
      List<MemberId> awaited) {
    int size = request.settings().size();
    List<String> sentences = new ArrayList<>();
    sentences.add(
        "group [%s] is not complete after %s (jaccl4j.formation-timeout)"
            .formatted(request.group(), Durations.text(request.settings().formationTimeout())));
    sentences.add(
        "present: %d of %d: %s"
            .formatted(
                present.size(),
                size,
                present.isEmpty()
                    ? "none, this member is not up in the cluster"
                    : present.stream()
                        .map(FormationReport::describe)
                        .collect(Collectors.joining(", "))));
    if (present.size() < size) {
      sentences.add(missing(present, size));
    }
    if (!awaited.isEmpty()) {
      sentences.add("not agreed in time: " + awaited);
    }
    if (!silentMembers.isEmpty()) {
      sentences.add("members that have not joined this group: " + silentMembers);
    }
    if (!notUp.isEmpty()) {
      sentences.add("members that are not up: " + notUp);
    }
    sentences.add("start what is missing and join again, or raise the timeout");
    return String.join("; ", sentences);
  }

  private static String missing(List<Candidate> present, int size) {
    String count = "missing: " + (size - present.size());
    List<Integer> claimed =
        present.stream()
            .flatMap(candidate -> candidate.fixedRank().stream().boxed())
            .sorted()
            .toList();
    if (claimed.isEmpty()) {
      return count;
    }
    String unclaimed =
        IntStream.range(0, size)
            .filter(rank -> !claimed.contains(rank))
            .mapToObj(Integer::toString)
            .collect(Collectors.joining(", "));
    boolean allFixed = claimed.size() == present.size();
    return allFixed
        ? count + ": rank " + unclaimed
        : count + ", of the ranks " + unclaimed + " that nobody has fixed";
  }

  private static String describe(Candidate candidate) {
    return candidate.fixedRank().isPresent()
        ? "%s (rank %d)".formatted(candidate.id(), candidate.fixedRank().getAsInt())
        : candidate.id().toString();
  }
}
