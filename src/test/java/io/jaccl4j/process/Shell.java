package io.jaccl4j.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Commands of the system. */
final class Shell {
  private static final long SECONDS = 20;

  private Shell() {}

  /** What a command did. */
  record Outcome(int exitCode, List<String> output) {}

  /** Runs a command, words separated by spaces, that must succeed; returns what it printed. */
  static List<String> run(String command) {
    Outcome outcome = tryRun(command);
    assertThat(outcome.exitCode()).as("%s: %s", command, outcome.output()).isZero();
    return outcome.output();
  }

  /** Runs a command that may fail. */
  static Outcome tryRun(String command) {
    try {
      Process process = new ProcessBuilder(command.split(" ")).redirectErrorStream(true).start();
      List<String> output = process.inputReader().lines().toList();
      if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new AssertionError(command + " does not end");
      }
      return new Outcome(process.exitValue(), output);
    } catch (IOException e) {
      return new Outcome(127, List.of(e.toString()));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
