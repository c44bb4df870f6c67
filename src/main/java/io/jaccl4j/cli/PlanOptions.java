package io.jaccl4j.cli;

import io.jaccl4j.Dtype;
import io.jaccl4j.cli.bench.BenchmarkPlan;
import io.jaccl4j.cli.bench.Effort;
import io.jaccl4j.cli.bench.Mode;
import io.jaccl4j.cli.bench.exchange.Operation;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Option;

/** What to measure, on the command line. */
final class PlanOptions {
  private static final long MAX_BYTES = 1L << 30;
  private static final double MAX_SECONDS = 3600;

  /** Which modes to measure. */
  enum Modes {
    SESSION(Mode.SESSION),
    HANDOVER(Mode.HAND_OVER),
    BOTH(Mode.SESSION, Mode.HAND_OVER);

    private final List<Mode> modes;

    Modes(Mode... modes) {
      this.modes = List.of(modes);
    }
  }

  @Option(
      names = "--op",
      paramLabel = "OPERATION",
      defaultValue = "all_sum",
      description =
          "all_sum, all_max, all_min, all_gather, sum_scatter, send_recv, broadcast, all_to_all or"
              + " barrier (default: ${DEFAULT-VALUE}).")
  private Operation operation;

  @Option(
      names = "--dtype",
      paramLabel = "TYPE",
      defaultValue = "float32",
      description =
          "Element type: bool, int8 to int64, uint8 to uint64, float16, bfloat16, float32, float64"
              + " or complex64 (default: ${DEFAULT-VALUE}).")
  private Dtype dtype;

  @Option(
      names = "--min",
      paramLabel = "BYTES",
      defaultValue = "8",
      converter = ByteSize.class,
      description = "Smallest size; K, M and G are understood (default: ${DEFAULT-VALUE}).")
  private long minBytes;

  @Option(
      names = "--max",
      paramLabel = "BYTES",
      defaultValue = "64M",
      converter = ByteSize.class,
      description = "Largest size, at most 1G (default: ${DEFAULT-VALUE}).")
  private long maxBytes;

  @Option(
      names = "--factor",
      paramLabel = "FACTOR",
      defaultValue = "2",
      description = "From one size to the next (default: ${DEFAULT-VALUE}).")
  private int factor;

  @Option(
      names = "--mode",
      paramLabel = "MODE",
      defaultValue = "session",
      description =
          "session: on the engine thread, by group.run; handover: from another thread, by the"
              + " group's methods; both: one after the other (default: ${DEFAULT-VALUE}).")
  private Modes modes;

  @Option(
      names = "--in-place",
      description = "Use one buffer for input and output (not send_recv, all_to_all).")
  private boolean inPlace;

  @Option(
      names = "--plain-memory",
      description = "Use buffers of the JVM instead of the group's, which are not staged.")
  private boolean plainMemory;

  @Option(
      names = "--check",
      description =
          "Check every element of each size's result against a computation of its own; a wrong one"
              + " makes the command fail.")
  private boolean check;

  @Option(
      names = "--seconds",
      paramLabel = "SECONDS",
      defaultValue = "0.2",
      description =
          "About how long to measure each size, after a warm-up, which may take ten times as"
              + " long while compilers are at work"
              + " (default: ${DEFAULT-VALUE}).")
  private double secondsPerSize;

  @Option(
      names = "--iterations",
      paramLabel = "COUNT",
      description = "Measure at least this many operations per size, however long it takes.")
  private Integer iterations;

  /** Throws an IllegalArgumentException that says what is wrong. */
  BenchmarkPlan plan() {
    require(maxBytes <= MAX_BYTES, "--max is " + maxBytes + ", want at most 1G");
    require(
        secondsPerSize > 0 && secondsPerSize <= MAX_SECONDS,
        "--seconds is " + secondsPerSize + ", want more than 0, at most 3600");
    require(
        iterations == null || iterations > 0, "--iterations is " + iterations + ", want 1 or more");
    return new BenchmarkPlan(
        operation,
        dtype,
        operation.hasData() ? BenchmarkPlan.sizes(minBytes, maxBytes, factor) : List.of(0L),
        inPlace,
        plainMemory,
        check,
        modes.modes,
        new Effort(
            Duration.ofNanos(Math.max(1, (long) (secondsPerSize * 1e9))),
            iterations == null ? 0 : iterations));
  }

  private static void require(boolean condition, String message) {
    if (!condition) {
      throw new IllegalArgumentException(message);
    }
  }
}
