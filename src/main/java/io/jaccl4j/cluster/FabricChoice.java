package io.jaccl4j.cluster;

import io.jaccl4j.FormationException.Reason;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Chooses the fabric of a group: one that every rank has, with the same reach everywhere. */
final class FabricChoice {

  static final String AUTO = "auto";

  private FabricChoice() {}

  /** A choice, or why there is none. */
  sealed interface Outcome {
    record Chosen(String fabric) implements Outcome {}

    record Impossible(Refusal refusal) implements Outcome {}
  }

  /**
   * Chooses.
   *
   * @param wanted {@code auto} for the first possible one in the oldest member's order, or a name
   * @param byAge the ranks' owners, the oldest member first
   */
  static Outcome choose(String group, String wanted, List<Candidate> byAge) {
    List<String> names =
        wanted.equals(AUTO)
            ? byAge.getFirst().fabrics().stream().map(FabricOffer::name).toList()
            : List.of(wanted);
    return names.stream()
        .filter(name -> obstacle(name, byAge).isEmpty())
        .findFirst()
        .<Outcome>map(Outcome.Chosen::new)
        .orElseGet(() -> new Outcome.Impossible(refusal(group, wanted, names, byAge)));
  }

  private static Refusal refusal(
      String group, String wanted, List<String> names, List<Candidate> byAge) {
    String obstacles =
        names.stream()
            .flatMap(name -> obstacle(name, byAge).map(o -> name + ": " + o).stream())
            .collect(Collectors.joining("; "));
    return new Refusal(
        Reason.FABRIC,
        "group [%s]: no fabric links all ranks with jaccl4j.fabric = %s: %s"
            .formatted(group, wanted, obstacles.isEmpty() ? "this build has none" : obstacles));
  }

  private static Optional<String> obstacle(String fabric, List<Candidate> byAge) {
    for (Candidate candidate : byAge) {
      Optional<FabricOffer> offer = offer(fabric, candidate);
      if (offer.isEmpty()) {
        return Optional.of(candidate.id() + " does not know it");
      }
      if (!offer.get().available()) {
        return Optional.of(
            candidate.id() + " cannot use it, because " + offer.get().unavailableBecause());
      }
    }
    return byAge.stream()
        .filter(c -> !reach(fabric, c).equals(reach(fabric, byAge.getFirst())))
        .findFirst()
        .map(
            other ->
                Stream.of(byAge.getFirst(), other)
                    .map(c -> "%s reaches [%s]".formatted(c.id(), reach(fabric, c)))
                    .collect(Collectors.joining(", ")));
  }

  private static Optional<FabricOffer> offer(String fabric, Candidate candidate) {
    return candidate.fabrics().stream().filter(o -> o.name().equals(fabric)).findFirst();
  }

  private static String reach(String fabric, Candidate candidate) {
    return offer(fabric, candidate).map(FabricOffer::reach).orElse("");
  }
}
