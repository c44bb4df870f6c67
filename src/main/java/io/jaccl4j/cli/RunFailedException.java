package io.jaccl4j.cli;

/** A command cannot go on: what it ends with, and why. */
final class RunFailedException extends Exception {
  private static final long serialVersionUID = 1L;

  /** The process at fault is not known, or none is. */
  static final int NO_PROCESS = -1;

  private final int exitCode;
  private final int process;

  RunFailedException(int exitCode, String reason) {
    this(exitCode, NO_PROCESS, reason);
  }

  RunFailedException(int exitCode, int process, String reason) {
    super(reason);
    this.exitCode = exitCode;
    this.process = process;
  }

  int exitCode() {
    return exitCode;
  }

  /** Number of the process at fault, or {@link #NO_PROCESS}. */
  int process() {
    return process;
  }
}
