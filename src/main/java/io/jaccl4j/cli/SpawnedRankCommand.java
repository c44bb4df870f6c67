package io.jaccl4j.cli;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.jaccl4j.GroupSettings;
import io.jaccl4j.Topology;
import io.jaccl4j.WireMode;
import io.jaccl4j.cli.bench.BenchmarkMemory;
import io.jaccl4j.cli.bench.BenchmarkPlan;
import io.jaccl4j.cli.bench.CollectiveBenchmark;
import io.jaccl4j.cli.bench.Mode;
import io.jaccl4j.cli.bench.TransportComparison;
import io.jaccl4j.cli.demo.DemoJob;
import io.jaccl4j.cli.job.RankJob;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** One rank as a process of {@code demo} or {@code bench}, which talks to its parent. */
@Command(
    name = SpawnedRankCommand.NAME,
    hidden = true,
    description = "One rank, started by 'demo' or 'bench'; of no use otherwise.")
final class SpawnedRankCommand implements Callable<Integer> {
  static final String NAME = "spawned-rank";

  private static final String CONFIG = "io/jaccl4j/cli/demo.conf";
  private static final String GROUP_NAME = "demo";
  private static final long HALT_AFTER_SECONDS = 10;

  @Option(names = "--size", required = true)
  private int size;

  @Option(names = "--form-timeout", required = true)
  private Duration formTimeout;

  @Option(names = "--work-timeout", required = true)
  private Duration workTimeout;

  @Option(names = "--fabric", required = true)
  private String fabric;

  @Option(names = "--topology", required = true)
  private Topology topology;

  @Option(names = "--wires", required = true)
  private int wires;

  @Option(names = "--wire", required = true)
  private WireMode wire;

  @Mixin private SpawnedPlan benchmark;

  @Option(names = "--compare", split = ",")
  private List<String> transports = List.of();

  @Option(names = "--demo")
  private boolean withDemo;

  @Option(names = "--verbose")
  private boolean verbose;

  @Override
  public Integer call() throws InterruptedException {
    if (verbose) {
      Logging.showInfo();
    }
    // Standard output belongs to the protocol; whatever else is printed goes to the log.
    PrintStream toParent = System.out;
    System.setOut(System.err);
    ParentLink parent = ParentLink.open(System.in, toParent, SpawnedRankCommand::endWithParent);
    BenchmarkPlan plan = benchmark.plan();
    Config config = config();
    Path sharedDirectory = Path.of(config.getString("jaccl4j.memory.shm-directory"));
    return new RankLife(
            config,
            settings -> adapt(settings, plan),
            (member, settings) -> member.join(parent.awaitSeed(formTimeout)),
            parent::send)
        .work(jobs(plan, sharedDirectory, parent), workTimeout);
  }

  private Config config() {
    Config group =
        ConfigFactory.parseMap(
            Map.of("jaccl4j.group.name", GROUP_NAME, "jaccl4j.group.size", size),
            "command line of the rank");
    return ConfigFactory.load(group.withFallback(ConfigFactory.parseResources(CONFIG)));
  }

  private GroupSettings adapt(GroupSettings settings, BenchmarkPlan plan) {
    GroupSettings.Memory memory = settings.memory();
    return new GroupShape(fabric, topology, wires, wire)
        .apply(settings)
        .withFormationTimeout(formTimeout)
        .withMemory(
            new GroupSettings.Memory(
                memory.slotBytes(), plan.memoryBytes(), memory.shmDirectory()));
  }

  private List<RankJob.Factory> jobs(BenchmarkPlan plan, Path sharedDirectory, ParentLink parent) {
    List<RankJob.Factory> jobs = new ArrayList<>();
    if (withDemo) {
      jobs.add((rank, ranks, groups) -> DemoJob.prepare(rank, ranks));
    }
    if (!transports.isEmpty()) {
      jobs.add((rank, ranks, groups) -> comparison(plan, rank, groups, parent));
      return jobs;
    }
    BenchmarkMemory memory = new BenchmarkMemory(plan);
    for (Mode mode : plan.modes()) {
      jobs.add(
          (rank, ranks, groups) ->
              new CollectiveBenchmark(
                  plan,
                  fabric,
                  mode,
                  memory,
                  Runtime.getRuntime().availableProcessors(),
                  System::nanoTime,
                  sharedDirectory,
                  new MeasurementSender(rank, parent::send)));
    }
    return jobs;
  }

  private TransportComparison comparison(
      BenchmarkPlan plan, int rank, RankJob.Groups groups, ParentLink parent) {
    return new TransportComparison(
        plan,
        transports.stream()
            .map(
                transport ->
                    transport.equals(RingTransport.LABEL)
                        ? RingTransport.over(formTimeout)
                        : GroupTransport.over(transport, groups, workTimeout))
            .toList(),
        Runtime.getRuntime().availableProcessors(),
        workTimeout,
        System::nanoTime,
        new MeasurementSender(rank, parent::send));
  }

  /** Leaves by way of the shutdown hooks, and ends anyway if they hang. */
  private static void endWithParent() {
    CompletableFuture.delayedExecutor(HALT_AFTER_SECONDS, TimeUnit.SECONDS)
        .execute(() -> Runtime.getRuntime().halt(ExitCode.INTERRUPTED));
    System.exit(ExitCode.INTERRUPTED);
  }
}
