package io.jaccl4j.cli;

import io.jaccl4j.cli.bench.BenchmarkPlan;
import io.jaccl4j.cli.bench.Measurement;
import io.jaccl4j.cli.bench.sockets.Wiring;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures one operation between processes of this machine. */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    usageHelpAutoWidth = true,
    header = "Measure one operation between processes of this machine, as nccl-tests does.",
    description = {
      "",
      "Starts ranks as 'demo' does. For each size they warm up until the operation no longer gets"
          + " faster and the compilers rest, then take samples with a barrier before each; a sample"
          + " of a short operation is a batch of them. Times are those of the slowest rank. Beside"
          + " them stands the median of a memcpy of as many bytes, measured in rank 0 while the"
          + " others wait.",
      "",
      "Sizes mean what they mean in nccl-tests: bytes of a rank's larger buffer, rounded down to"
          + " whole elements on every rank. That is the output of all_gather (all ranks' blocks),"
          + " the input of sum_scatter, both of all_to_all; 'count' is then the elements of one"
          + " block.",
      "",
      "algbw is size / median, busbw is algbw times a factor that makes it the bandwidth of the"
          + " slowest link, whatever the number n of ranks: all_sum, all_max, all_min 2(n-1)/n;"
          + " all_gather, sum_scatter, all_to_all (n-1)/n; send_recv, broadcast 1. Both in GB/s"
          + " (10^9 bytes). In send_recv each rank sends to the next and receives from the"
          + " previous, one after the other: between two ranks the time is a round trip.",
      "",
      "A rank uses a processor of its own while it waits for its peers; with more ranks than"
          + " processors you measure the operating system's scheduler.",
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
      "  bench                      all_sum float32, two ranks, 8 bytes to 64 MiB",
      "  bench --mode both --plot all_sum.svg",
      "                             on the engine thread and by hand-over, as a chart",
      "  bench --op all_gather --dtype bfloat16 --check",
      "                             another operation, every element checked",
      "  bench -n 4 --topology ring --wires 2 --min 1M --max 1M --iterations 200",
      "                             one size, 200 operations",
      "  bench --fabric tcp         by sockets instead of shared memory",
      "  bench --compare shm,tcp,ring --min 4 --factor 4 --plot compared.svg",
      "                             transports beside each other and beside bare sockets",
      "  bench --min 1M --seconds 2 --csv a.csv --json a.json",
      "                             two seconds per size, numbers into files",
    })
final class BenchCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = {"-n", "--ranks"},
      paramLabel = "RANKS",
      defaultValue = "2",
      description = "Number of ranks, 1 to 16 (default: ${DEFAULT-VALUE}).")
  private int ranks;

  @Option(
      names = "--compare",
      split = ",",
      paramLabel = "TRANSPORT",
      description =
          "Compare transports instead, size by size in one run, with each other and with bare"
              + " sockets: shm, verbs, tcp and ring, which is MLX's TCP ring"
              + " as it is among ranks of this library; for example"
              + " --compare shm,tcp,ring.")
  private List<ComparedTransport> compared = List.of();

  @Mixin private PlanOptions planOptions;
  @Mixin private ShapeOptions shapeOptions;
  @Mixin private ReportOptions reports;
  @Mixin private RunOptions options;

  @Override
  public Integer call() {
    RunOptions.validateRanks(spec.commandLine(), ranks);
    BenchmarkPlan plan;
    GroupShape shape;
    try {
      plan = planOptions.plan();
      plan.sizesFor(ranks);
      shape = shapeOptions.shape(plan.operation());
      ComparedTransport.validate(compared, plan, shape, ranks);
      reports.validate(plan.operation());
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
    List<Measurement> measurements = new ArrayList<>();
    int exitCode =
        options.run(
            spec.commandLine(),
            ranks,
            false,
            shape,
            plan,
            compared.stream().map(ComparedTransport::label).toList(),
            measurements::add);
    int perSize =
        compared.isEmpty() ? plan.modes().size() : compared.size() + Wiring.values().length;
    if (measurements.size() != plan.sizesFor(ranks).size() * perSize) {
      return exitCode;
    }
    return reports.write(spec.commandLine(), plan, shape, measurements)
        ? exitCode
        : ExitCode.FAILED;
  }
}
