package io.jaccl4j.cli.launch;

/** What happens while ranks run. */
sealed interface LaunchEvent {

  /**
   * A rank's process has ended and all that it printed is shown.
   *
   * @param exitCode its own, or 128 and the signal that ended it
   */
  record Exited(int rank, int exitCode) implements LaunchEvent {}

  /** Nobody reads what the ranks print any more. */
  record OutputLost(String reason) implements LaunchEvent {}
}
