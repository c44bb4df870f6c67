package io.jaccl4j.cli;

/** What the commands end with; every {@code --help} lists them. */
final class ExitCode {
  static final int OK = 0;
  static final int FAILED = 1;
  static final int USAGE = 2;
  static final int NOT_FORMED = 3;
  static final int INTERRUPTED = 130;

  private ExitCode() {}
}
