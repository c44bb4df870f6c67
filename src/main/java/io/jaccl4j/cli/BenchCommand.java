package io.jaccl4j.cli;

import io.jaccl4j.cli.bench.BenchmarkPlan;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures all_sum between processes of this machine. */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    usageHelpAutoWidth = true,
    header = "Measure all_sum float32 between processes of this machine.",
    description = {
      "",
      "Starts ranks as 'demo' does and measures, on the engine thread, the median and the 99th"
          + " percentile of one all_sum per message size, after a warm-up. Beside it stands the"
          + " median of one memcpy of as many bytes, measured in rank 0 while the others wait.",
      "",
      "Sizes go from --min by factors of 16, and end with --max. A rank uses a processor of its own"
          + " while it waits for its peers; with more ranks than processors you measure the"
          + " operating system's scheduler.",
      ""
    },
    exitCodeListHeading = Help.EXIT_CODES_HEADING,
    exitCodeList = {
      Help.OK,
      Help.FAILED,
      Help.USAGE,
      Help.NOT_FORMED,
      Help.INTERRUPTED,
    },
    footerHeading = Help.EXAMPLES_HEADING,
    footer = {
      "  bench                        two ranks, 4 bytes to 1 MiB",
      "  bench --min 1M --max 64M     large messages",
      "  bench -n 4 --time 5          four ranks, five seconds per size",
    })
final class BenchCommand implements Callable<Integer> {
  private static final long MAX_BYTES = 1L << 30;

  @Spec private CommandSpec spec;

  @Option(
      names = {"-n", "--ranks"},
      paramLabel = "RANKS",
      defaultValue = "2",
      description = "Number of ranks, 1 to 16 (default: ${DEFAULT-VALUE}).")
  private int ranks;

  @Option(
      names = "--min",
      paramLabel = "BYTES",
      defaultValue = "4",
      converter = ByteSize.class,
      description = "Smallest message, a multiple of 4; K, M and G are understood (default: 4).")
  private long minBytes;

  @Option(
      names = "--max",
      paramLabel = "BYTES",
      defaultValue = "1M",
      converter = ByteSize.class,
      description = "Largest message, at most 1G (default: 1M).")
  private long maxBytes;

  @Option(
      names = "--time",
      paramLabel = "SECONDS",
      defaultValue = "2",
      description = "About how long to measure each size (default: ${DEFAULT-VALUE}).")
  private int secondsPerSize;

  @Mixin private RunOptions options;

  @Override
  public Integer call() {
    return options.run(spec.commandLine(), ranks, false, plan());
  }

  private BenchmarkPlan plan() {
    if (maxBytes > MAX_BYTES) {
      throw new ParameterException(
          spec.commandLine(), "--max is " + maxBytes + ", want at most 1G");
    }
    try {
      return BenchmarkPlan.ofRange(minBytes, maxBytes, Duration.ofSeconds(secondsPerSize));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }
}
