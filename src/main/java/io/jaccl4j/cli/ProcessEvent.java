package io.jaccl4j.cli;

/** Something that a process started by this one did. */
sealed interface ProcessEvent {

  /** Number of the process, from 0. */
  int process();

  /** It said something. */
  record Said(int process, RankMessage message) implements ProcessEvent {}

  /** It has ended, and all that it had printed was read. */
  record Exited(int process, int exitCode) implements ProcessEvent {}
}
