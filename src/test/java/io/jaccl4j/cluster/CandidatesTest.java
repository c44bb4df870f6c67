package io.jaccl4j.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.jaccl4j.FormationException.Reason;
import io.jaccl4j.GroupMember;
import io.jaccl4j.GroupSettings;
import io.jaccl4j.fabric.FabricProvider;
import io.jaccl4j.testing.TestSettings;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The decisions about candidates, without actors. */
class CandidatesTest {

  @Test
  void shouldFindNoConflictAmongEqualCandidates() {
    assertThat(Conflicts.among("g", List.of(auto("a"), auto("b"), fixed("c", 2)), 3)).isEmpty();
  }

  @Test
  void shouldNameFirstDifferingKeyWithBothValues() {
    Refusal refusal =
        Conflicts.among("g", List.of(auto("a"), auto("b"), with("c", "jaccl4j.x", "2")), 3)
            .orElseThrow();

    assertThat(refusal.reason()).isEqualTo(Reason.SETTINGS_DIFFER);
    assertThat(refusal.text())
        .isEqualTo(
            "group [g]: jaccl4j.x is [1] on a and [2] on c; make it equal on all ranks and join"
                + " again");
  }

  @Test
  void shouldTreatAbsentKeyAsDifference() {
    Candidate newer = with("b", "jaccl4j.y", "1");

    assertThat(Conflicts.among("g", List.of(auto("a"), newer), 2).orElseThrow().text())
        .contains("jaccl4j.y is [not there] on a and [1] on b");
  }

  @Test
  void shouldNameBothOwnersOfOneRank() {
    Refusal refusal =
        Conflicts.among("g", List.of(fixed("a", 1), auto("b"), fixed("c", 1)), 3).orElseThrow();

    assertThat(refusal.reason()).isEqualTo(Reason.RANK_CONFLICT);
    assertThat(refusal.text()).contains("[1] on both a and c");
  }

  @Test
  void shouldRefuseRankOutOfRange() {
    assertThat(Conflicts.among("g", List.of(fixed("a", 2)), 2).orElseThrow().text())
        .contains("jaccl4j.group.rank is [2] on a, want 0 to 1");
  }

  @Test
  void shouldDealRanksByAge() {
    assertThat(owners(List.of(auto("a"), auto("b"), auto("c")))).containsExactly("a", "b", "c");
  }

  @Test
  void shouldDealFreeRanksAroundFixedOnes() {
    assertThat(owners(List.of(auto("a"), fixed("b", 0), auto("c"), fixed("d", 2))))
        .containsExactly("b", "a", "d", "c");
  }

  @Test
  void shouldPreferMemoryToCardsAndCardsToSockets() {
    assertThat(EngineDefaults.fabrics())
        .extracting(FabricProvider::name)
        .containsExactly("shm", "verbs", "tcp");
  }

  @Test
  void shouldTakeSocketsBetweenHostsWithoutCards() {
    FabricOffer cards = new FabricOffer("verbs", "", "there is no RDMA device");
    FabricProvider sockets = EngineDefaults.fabrics().getLast();
    GroupSettings settings = TestSettings.of("g", 2);
    FabricOffer tcp = FabricOffer.of(List.of(sockets), settings).getFirst();
    List<Candidate> byAge =
        List.of(
            offering("a", new FabricOffer("shm", "boot1", ""), cards, tcp),
            offering("b", new FabricOffer("shm", "boot2", ""), cards, tcp));

    assertThat(FabricChoice.choose("g", "auto", byAge))
        .isEqualTo(new FabricChoice.Outcome.Chosen("tcp"));
  }

  @Test
  void shouldTakeFirstFabricThatAllReach() {
    List<Candidate> byAge =
        List.of(
            offering("a", new FabricOffer("verbs", "net", ""), new FabricOffer("shm", "h", "")),
            offering(
                "b", new FabricOffer("verbs", "", "no card"), new FabricOffer("shm", "h", "")));

    assertThat(FabricChoice.choose("g", "auto", byAge))
        .isEqualTo(new FabricChoice.Outcome.Chosen("shm"));
  }

  @Test
  void shouldNameWhoCannotUseFabricAndWhy() {
    List<Candidate> byAge =
        List.of(
            offering("a", new FabricOffer("verbs", "net", "")),
            offering("b", new FabricOffer("verbs", "", "no card")));

    assertThat(refusal(FabricChoice.choose("g", "verbs", byAge)).text())
        .contains("verbs: b cannot use it, because no card");
  }

  @Test
  void shouldNameBothSidesThatDoNotReachEachOther() {
    List<Candidate> byAge =
        List.of(
            offering("a", new FabricOffer("shm", "host 1", "")),
            offering("b", new FabricOffer("shm", "host 2", "")));

    assertThat(refusal(FabricChoice.choose("g", "auto", byAge)).text())
        .contains("a reaches [host 1], b reaches [host 2]");
  }

  @Test
  void shouldSayThatThereIsNoFabric() {
    assertThat(refusal(FabricChoice.choose("g", "auto", List.of(offering("a")))).text())
        .contains("this build has none");
  }

  @Test
  void shouldIgnoreLateAnnouncementOfEarlierJoin() {
    Candidates candidates = new Candidates();
    Candidate second = attempt("a", 2);

    assertThat(candidates.announced(second, 1)).isTrue();
    assertThat(candidates.announced(attempt("a", 1), 2)).isFalse();
    assertThat(candidates.find(id("a"))).contains(second);
  }

  @Test
  void shouldForgetSilentCandidate() {
    Candidates candidates = new Candidates();
    candidates.announced(auto("a"), 1);
    candidates.announced(auto("b"), 10);

    candidates.dropSilent(1 + Candidates.SILENT_TICKS + 1);

    assertThat(candidates.find(id("a"))).isEmpty();
    assertThat(candidates.find(id("b"))).isPresent();
  }

  @Test
  void shouldCompleteBallotWhenAllOthersHaveGranted() {
    Proposal proposal =
        new Proposal(
            "t", 1, "shm", RankAssignment.assign(List.of(auto("a"), auto("b"), auto("c"))));
    Ballot ballot = new Ballot(proposal, id("a"));

    ballot.granted(id("b"));
    ballot.granted(id("b"));
    assertThat(ballot.complete()).isFalse();
    assertThat(ballot.silent()).containsExactly(id("c"));
    ballot.granted(id("c"));
    assertThat(ballot.complete()).isTrue();
  }

  @Test
  void shouldLosePatienceWithSilentCandidates() {
    Ballot ballot =
        new Ballot(
            new Proposal("t", 1, "shm", RankAssignment.assign(List.of(auto("a"), auto("b")))),
            id("a"));

    assertThat(IntStream.range(0, Ballot.PATIENCE_TICKS).anyMatch(i -> ballot.overdue())).isFalse();
    assertThat(ballot.overdue()).isTrue();
  }

  @Test
  void shouldTellVerdictOnlyToCandidatesThatMissedIt() {
    Verdict verdict =
        new Verdict(new Refusal(Reason.SETTINGS_DIFFER, "x"), Set.of(id("a"), id("b")), 100);
    Set<MemberId> up = Set.of(id("a"), id("b"), id("c"));

    assertThat(verdict.concerns(auto("c"), 1, up, 50)).isTrue();
    assertThat(verdict.concerns(refused("c", 1), 1, up, 50)).as("tries again").isFalse();
    assertThat(verdict.concerns(auto("c"), 1, up, 101)).as("too old").isFalse();
    assertThat(verdict.concerns(auto("c"), 1, Set.of(id("a"), id("c")), 50))
        .as("the culprit may be gone")
        .isFalse();
  }

  private static List<String> owners(List<Candidate> byAge) {
    return RankAssignment.assign(byAge).stream()
        .map(Seat::member)
        .sorted(Comparator.comparingInt(GroupMember::rank))
        .map(GroupMember::address)
        .toList();
  }

  private static Refusal refusal(FabricChoice.Outcome outcome) {
    assertThat(outcome).isInstanceOf(FabricChoice.Outcome.Impossible.class);
    return ((FabricChoice.Outcome.Impossible) outcome).refusal();
  }

  private static MemberId id(String address) {
    return new MemberId(address, 1);
  }

  private static Candidate auto(String address) {
    return candidate(address, 1, OptionalInt.empty(), 0);
  }

  private static Candidate fixed(String address, int rank) {
    return candidate(address, 1, OptionalInt.of(rank), 0);
  }

  private static Candidate attempt(String address, long attempt) {
    return candidate(address, attempt, OptionalInt.empty(), 0);
  }

  private static Candidate refused(String address, long refusals) {
    return candidate(address, 1, OptionalInt.empty(), refusals);
  }

  private static Candidate with(String address, String key, String value) {
    Candidate candidate = auto(address);
    candidate.mustMatch().put(key, value);
    return candidate;
  }

  private static Candidate offering(String address, FabricOffer... offers) {
    return new Candidate(
        id(address), 1, "host", List.of(offers), OptionalInt.empty(), new TreeMap<>(), 0, 0);
  }

  private static Candidate candidate(
      String address, long attempt, OptionalInt fixedRank, long refusals) {
    TreeMap<String, String> mustMatch = new TreeMap<>();
    mustMatch.put("jaccl4j.x", "1");
    return new Candidate(
        id(address), attempt, "host", List.of(), fixedRank, mustMatch, 0, refusals);
  }
}
