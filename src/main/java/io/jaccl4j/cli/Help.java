package io.jaccl4j.cli;

/** Pieces that every command's help repeats. */
final class Help {
  static final String EXIT_CODES_HEADING = "%nExit codes:%n";
  static final String EXAMPLES_HEADING = "%nExamples (arguments of io.jaccl4j.cli.Main):%n";

  static final String OK = "0:All went well.";
  static final String FAILED = "1:A check failed, or a rank; the reason is on standard error.";
  static final String USAGE = "2:The command line or a configuration file is wrong.";
  static final String NOT_FORMED = "3:The group did not form in time, or this rank was refused.";
  static final String INTERRUPTED = "130:Interrupted (Ctrl-C); 143 after SIGTERM.";

  private Help() {}
}
