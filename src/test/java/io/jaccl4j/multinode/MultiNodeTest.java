package io.jaccl4j.multinode;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The specs of this package, each on nodes of its own. */
@Timeout(150)
class MultiNodeTest {
  private static final int VICTIM = LossSpec.VICTIM;

  @RegisterExtension static final SpecSummary SUMMARY = new SpecSummary();

  @RegisterExtension final ForkedNodes three = ForkedNodes.of(3);

  @RegisterExtension
  final ForkedNodes withVictimKilled = ForkedNodes.of(4).expectingExit(VICTIM, KillSpec.EXIT_CODE);

  @RegisterExtension
  final ForkedNodes withVictimLeaving = ForkedNodes.of(4).expectingExit(VICTIM, ExitSpec.EXIT_CODE);

  @Test
  void shouldFormWithALateMemberAndKeepGroupsApart() {
    three.run(FormationSpec.class);
  }

  @Test
  void shouldFailAllRanksWhenTwoDoNotHearEachOther() {
    three.run(TwoWayPartitionSpec.class);
  }

  @Test
  void shouldFailAllRanksWhenOneIsNotHeardByAnother() {
    three.run(OneWayPartitionSpec.class);
  }

  @Test
  void shouldGoOnInTheLargerHalfOfAPartitionThatLasts() {
    three.run(SplitBrainSpec.class);
  }

  @Test
  void shouldGoOnOverASlowWayAndFailAllRanksWhenItIsTooSlow() {
    three.run(ThrottleSpec.class);
  }

  @Test
  void shouldFailSurvivorsOfAKilledProcessAndReplaceIt() {
    withVictimKilled.run(KillSpec.class);
  }

  @Test
  void shouldFailSurvivorsOfAProcessThatExitsAndReplaceIt() {
    withVictimLeaving.run(ExitSpec.class);
  }

  @Test
  void shouldRestartAllRanksInTurn() {
    three.run(RollingRestartSpec.class);
  }
}
