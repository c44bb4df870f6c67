package io.jaccl4j.cli;

import io.jaccl4j.cli.job.Quantity;
import java.time.Duration;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Options of the commands that start ranks as processes. */
final class RunOptions {
  private static final Duration LEAVING = Duration.ofSeconds(20);
  private static final Duration GRACE = Duration.ofSeconds(5);

  @Option(
      names = "--form-timeout",
      paramLabel = "SECONDS",
      defaultValue = "60",
      description = "From start until all ranks are ready (default: ${DEFAULT-VALUE}).")
  private int formTimeoutSeconds;

  @Option(
      names = "--work-timeout",
      paramLabel = "SECONDS",
      defaultValue = "300",
      description = "From ready until the work is done (default: ${DEFAULT-VALUE}).")
  private int workTimeoutSeconds;

  @Option(
      names = {"-v", "--verbose"},
      description =
          "Show what the ranks log, on standard error; otherwise shown only when one fails.")
  private boolean verbose;

  Duration formTimeout() {
    return Duration.ofSeconds(formTimeoutSeconds);
  }

  Duration workTimeout() {
    return Duration.ofSeconds(workTimeoutSeconds);
  }

  boolean isVerbose() {
    return verbose;
  }

  /** Refuses values that make no sense. */
  void validate(CommandLine commandLine) {
    if (formTimeoutSeconds < 1 || workTimeoutSeconds < 1) {
      throw new ParameterException(
          commandLine, "--form-timeout and --work-timeout must be 1 second or more");
    }
  }

  /** Runs the ranks and returns the exit code. */
  int run(CommandLine commandLine, SpawnedRank rank) {
    Progress progress = new Progress(commandLine.getErr(), Progress.isTerminal(), System::nanoTime);
    RunConsole console = new RunConsole(commandLine.getOut(), progress, verbose);
    console.result(
        String.format(
            "%s, each a process of this machine (%s), Java %s%n",
            Quantity.of(rank.size(), "rank"),
            Quantity.of(Runtime.getRuntime().availableProcessors(), "processor"),
            Runtime.version()));
    return GroupRun.run(
        rank.size(),
        number -> rank.command(),
        new RunLimits(formTimeout(), workTimeout(), LEAVING, GRACE),
        console,
        System::nanoTime);
  }
}
