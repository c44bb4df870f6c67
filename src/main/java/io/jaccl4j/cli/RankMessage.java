package io.jaccl4j.cli;

import io.jaccl4j.GroupEvent;
import io.jaccl4j.cli.bench.Measurement;
import io.jaccl4j.cli.job.StepResult;

/** What a rank tells whoever watches it: its own terminal, or the process that started it. */
sealed interface RankMessage {

  /** The actor system is there and has an address; it has joined nothing yet. */
  record Listening(String address) implements RankMessage {}

  /** This member is up in the cluster. */
  record MemberUp() implements RankMessage {}

  /** Something happened to the group. */
  record Event(GroupEvent event) implements RankMessage {}

  /** What the rank does within its job, for people. */
  record Doing(String what) implements RankMessage {}

  /** A benchmark has a number; told by rank 0 for all. */
  record Measured(Measurement measurement) implements RankMessage {}

  /** A step of the job is done. */
  record StepDone(StepResult result) implements RankMessage {}

  /** The job is done; the rank leaves now. */
  record Finished(int failedChecks) implements RankMessage {}

  /** The rank gives up and ends with this exit code. */
  record Failed(int exitCode, String reason) implements RankMessage {}
}
