package io.jaccl4j.cli;

import io.jaccl4j.Dtype;
import io.jaccl4j.cli.bench.BenchmarkPlan;
import io.jaccl4j.cli.bench.Effort;
import io.jaccl4j.cli.bench.Mode;
import io.jaccl4j.cli.bench.exchange.Operation;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows everything at work on this machine. */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    usageHelpAutoWidth = true,
    header = "Start ranks as processes of this machine and compute something with them.",
    description = {
      "",
      "Every rank is a JVM of its own and a member of one Pekko cluster on 127.0.0.1. The members"
          + " find each other, agree who is which rank, exchange what their links need and bring"
          + " these up. Then each rank reads its share of a table and all of them compute the"
          + " columns' statistics and a linear regression together, with every collective"
          + " operation there is. Each rank checks each result against the same computation in one"
          + " process. At the end all_sum is measured beside a memcpy.",
      "",
      "Results are on standard output, progress and logs on standard error. Ctrl-C or a failing"
          + " rank end all processes.",
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
      "  demo              four ranks",
      "  demo -n 2         two ranks",
      "  demo --fabric tcp four ranks linked by sockets",
      "  demo -n 3 -v      three ranks, with what they log",
    })
final class DemoCommand implements Callable<Integer> {
  private static final BenchmarkPlan BENCHMARK =
      new BenchmarkPlan(
          Operation.ALL_SUM,
          Dtype.FLOAT32,
          List.of(4L, 1L << 20),
          false,
          false,
          true,
          List.of(Mode.SESSION),
          Effort.ofTime(Duration.ofSeconds(1)));

  @Spec private CommandSpec spec;

  @Option(
      names = {"-n", "--ranks"},
      paramLabel = "RANKS",
      defaultValue = "4",
      description = "Number of ranks, 1 to 16 (default: ${DEFAULT-VALUE}).")
  private int ranks;

  @Mixin private FabricOption fabric;
  @Mixin private RunOptions options;

  @Override
  public Integer call() {
    return options.run(
        spec.commandLine(),
        ranks,
        true,
        GroupShape.DEFAULT.withFabric(fabric.name()),
        BENCHMARK,
        List.of(),
        measurement -> {});
  }
}
