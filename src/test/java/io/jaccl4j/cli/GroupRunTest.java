package io.jaccl4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.jaccl4j.cli.bench.Measurement;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class GroupRunTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final RunLimits LIMITS = new RunLimits(LONG, LONG, LONG, Duration.ofSeconds(10));

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final List<Measurement> measurements = new ArrayList<>();

  @Test
  void shouldShowATableForEverythingThatAllRanksReached() {
    assertThat(run(LIMITS, ScriptedRank.FINE, ScriptedRank.FINE, ScriptedRank.FINE)).isZero();
    assertThat(out.toString())
        .containsSubsequence(
            "Members up",
            "scripted://0",
            "Ranks of epoch 1",
            "scripted://2",
            "scripted://1",
            "scripted://0",
            "Links",
            "no links",
            "Some step",
            "3 of 3",
            "a note",
            "Times",
            "process has ended",
            "OK: 3 ranks, 3 checks passed");
    assertThat(measurements).hasSize(1);
  }

  @Test
  void shouldEndAllRanksWhenOneFails() {
    long before = ProcessHandle.current().children().count();
    assertThat(run(LIMITS, ScriptedRank.WORKS_FOR_EVER, ScriptedRank.CRASH)).isEqualTo(1);
    assertThat(ProcessHandle.current().children().count()).isEqualTo(before);
    assertThat(err.toString())
        .contains("[rank 0] about to crash")
        .containsPattern("FAILED: rank 0: process \\d+ ended with exit code 7 while working");
  }

  @Test
  void shouldPassTheReasonAndCodeOfARankThatGivesUp() {
    assertThat(run(LIMITS, ScriptedRank.WORKS_FOR_EVER, ScriptedRank.GIVES_UP)).isEqualTo(3);
    assertThat(err.toString()).contains("FAILED: rank 0: the deadline passed");
  }

  @Test
  void shouldListFailedChecksWithGotAndWant() {
    assertThat(run(LIMITS, ScriptedRank.FINE, ScriptedRank.WRONG_RESULT)).isEqualTo(1);
    assertThat(out.toString())
        .contains("NO: 1 of 2", "rank 0: Some step: the value: got 41, want 42")
        .doesNotContain("OK:");
    assertThat(err.toString()).contains("FAILED: 1 of 2 checks");
  }

  @Test
  void shouldSayWhoIsMissingWhenTheGroupDoesNotFormInTime() {
    RunLimits limits = new RunLimits(Duration.ofSeconds(6), LONG, LONG, LIMITS.grace());
    assertThat(run(limits, ScriptedRank.SILENT, ScriptedRank.NEVER_LISTENS)).isEqualTo(3);
    assertThat(err.toString())
        .contains("FAILED: out of time: actor system listens: 1 of 2")
        .contains("starting: process 1");
  }

  @Test
  void shouldFailWhenTheWorkTakesTooLong() {
    RunLimits limits = new RunLimits(LONG, Duration.ofSeconds(1), LONG, LIMITS.grace());
    assertThat(run(limits, ScriptedRank.FINE, ScriptedRank.WORKS_FOR_EVER)).isEqualTo(1);
    assertThat(err.toString())
        .contains("out of time: work is done: 1 of 2")
        .contains("working: process 1");
  }

  @Test
  void shouldFailWhenRanksDisagreeAboutTheGroup() {
    assertThat(run(LIMITS, ScriptedRank.WORKS_FOR_EVER, ScriptedRank.OTHER_EPOCH)).isEqualTo(1);
    assertThat(err.toString()).contains("FAILED: ranks disagree: process 0 has epoch 1");
  }

  @Test
  void shouldFailWhenARankDiesWhileLeaving() {
    assertThat(run(LIMITS, ScriptedRank.FINE, ScriptedRank.DIES_LEAVING)).isEqualTo(1);
    assertThat(err.toString()).contains("ended with exit code 9 while leaving");
  }

  @Test
  void shouldTakeAnInterruptedRankForCtrlC() {
    assertThat(run(LIMITS, ScriptedRank.WORKS_FOR_EVER, ScriptedRank.INTERRUPTED)).isEqualTo(130);
  }

  @Test
  void shouldFailWhenAProcessCannotBeStarted() {
    int exitCode =
        GroupRun.run(
            1,
            number -> List.of("/no/such/program"),
            LIMITS,
            console(),
            measurements::add,
            System::nanoTime);
    assertThat(exitCode).isEqualTo(1);
    assertThat(err.toString()).contains("could not be started").contains("/no/such/program");
  }

  private int run(RunLimits limits, String... behaviours) {
    return GroupRun.run(
        behaviours.length,
        number -> ScriptedRank.command(number, behaviours.length, behaviours[number]),
        limits,
        console(),
        measurements::add,
        System::nanoTime);
  }

  private RunConsole console() {
    Progress progress = new Progress(new PrintWriter(err), false, System::nanoTime);
    return new RunConsole(new PrintWriter(out), progress, false);
  }
}
