package io.jaccl4j.cli;

import io.jaccl4j.cli.bench.BenchmarkPlan;
import io.jaccl4j.cli.bench.Measurement;
import io.jaccl4j.cli.job.Quantity;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Options of the commands that start ranks as processes. */
final class RunOptions {
  private static final Duration LEAVING = Duration.ofSeconds(20);
  private static final Duration GRACE = Duration.ofSeconds(5);

  /** Starting a JVM takes its processor time, so that more ranks take longer. */
  private static final Duration FORM_BASE = Duration.ofSeconds(30);

  private static final Duration FORM_PER_RANK = Duration.ofSeconds(15);
  private static final Duration WORK_BASE = Duration.ofSeconds(300);

  /** Warm-ups, copies and checks come on top of what is measured. */
  private static final int WORK_PER_MEASURED = 24;

  private static final int MAX_RANKS = 16;

  @Option(
      names = "--form-timeout",
      paramLabel = "SECONDS",
      description = "From start until all ranks are ready (default: 30, and 15 per rank).")
  private Integer formTimeoutSeconds;

  @Option(
      names = "--work-timeout",
      paramLabel = "SECONDS",
      description = "From ready until the work is done (default: 300, more for a long benchmark).")
  private Integer workTimeoutSeconds;

  @Option(
      names = {"-v", "--verbose"},
      description =
          "Show what the ranks log, on standard error; otherwise shown only when one fails.")
  private boolean verbose;

  /**
   * Runs ranks and returns the exit code.
   *
   * @param withDemo whether they run the demo's computation before they measure
   * @param transports what they compare, or nothing to measure their own group alone
   * @param measured told every measurement
   */
  int run(
      CommandLine commandLine,
      int ranks,
      boolean withDemo,
      GroupShape shape,
      BenchmarkPlan benchmark,
      List<String> transports,
      Consumer<Measurement> measured) {
    validate(commandLine, ranks);
    Duration formTimeout =
        formTimeoutSeconds == null
            ? FORM_BASE.plus(FORM_PER_RANK.multipliedBy(ranks))
            : Duration.ofSeconds(formTimeoutSeconds);
    Duration workTimeout =
        workTimeoutSeconds == null
            ? WORK_BASE.plus(
                benchmark
                    .measuringTime()
                    .multipliedBy((long) WORK_PER_MEASURED * (2 + transports.size())))
            : Duration.ofSeconds(workTimeoutSeconds);
    SpawnedRank rank =
        new SpawnedRank(
            ranks, withDemo, shape, benchmark, transports, formTimeout, workTimeout, verbose);

    Progress progress = new Progress(commandLine.getErr(), Progress.isTerminal(), System::nanoTime);
    RunConsole console = new RunConsole(commandLine.getOut(), progress, verbose);
    console.result(
        String.format(
            "%s, each a process of this machine (%s), Java %s%n",
            Quantity.of(ranks, "rank"),
            Quantity.of(Runtime.getRuntime().availableProcessors(), "processor"),
            Runtime.version()));
    return GroupRun.run(
        ranks,
        number -> rank.command(),
        new RunLimits(formTimeout, workTimeout, LEAVING, GRACE),
        console,
        measured,
        System::nanoTime);
  }

  /** Refuses a number of ranks that one machine cannot hold. */
  static void validateRanks(CommandLine commandLine, int ranks) {
    if (ranks < 1 || ranks > MAX_RANKS) {
      throw new ParameterException(
          commandLine, "-n is " + ranks + ", want 1 to " + MAX_RANKS + " ranks");
    }
  }

  private void validate(CommandLine commandLine, int ranks) {
    validateRanks(commandLine, ranks);
    if (workTimeoutSeconds != null && workTimeoutSeconds < 1
        || formTimeoutSeconds != null && formTimeoutSeconds < 1) {
      throw new ParameterException(
          commandLine, "--form-timeout and --work-timeout must be 1 second or more");
    }
  }
}
