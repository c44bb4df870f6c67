package io.jaccl4j.cli;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import io.jaccl4j.cli.demo.DemoJob;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** One rank from a configuration file. */
@Command(
    name = "rank",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    usageHelpAutoWidth = true,
    header = "Be one rank of a group, as a configuration file says.",
    description = {
      "",
      "Joins the cluster at the seed nodes of the file (pekko.cluster.seed-nodes), or at the ranks"
          + " that --bootstrap finds, then the group"
          + " (jaccl4j.group), prints what happens, runs the job and leaves. The file is laid over"
          + " the defaults of the libraries; what a key means stands in their reference.conf."
          + " Start as many ranks as jaccl4j.group.size says, in any order, with equal settings.",
      "",
      "The actor system's name is 'jaccl4j', so a seed node looks like this:",
      "  pekko://jaccl4j@127.0.0.1:25521",
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
      "  rank --config conf/demo-rank.conf                  with PORT=25521 in the environment",
      "  rank --config conf/demo-rank.conf                  with PORT=25522, in another terminal",
      "  rank --config conf/demo-rank.conf --job none       stay in the group",
      "  rank --bootstrap --config conf/bootstrap-rank.conf with MANAGEMENT_PORT=25531 in the"
          + " environment; 25532 and 25533 in others",
    })
final class RankCommand implements Callable<Integer> {

  /** What to do in the group. */
  enum Job {
    /** The demo's computation, then leave. */
    DEMO,
    /** Nothing: stay until SIGTERM, or until the group fails. */
    NONE
  }

  private static final String RANK_CONFIG = "io/jaccl4j/cli/rank.conf";
  private static final String BOOTSTRAP_CONFIG = "io/jaccl4j/management/bootstrap.conf";
  private static final String BOOTSTRAP_CLASS =
      "org.apache.pekko.management.cluster.bootstrap.ClusterBootstrap";
  private static final String BOOTSTRAP_LIBRARY = "pekko-management-cluster-bootstrap";

  @Spec private CommandSpec spec;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      required = true,
      description = "HOCON file; required.")
  private Path configFile;

  @Option(
      names = "--bootstrap",
      description =
          "Find the other ranks by Pekko Cluster Bootstrap: the file says how"
              + " (pekko.discovery.method: config, pekko-dns, kubernetes-api) and where the"
              + " management endpoint is (pekko.management.http); no seed nodes, no fixed port.")
  private boolean bootstrap;

  @Option(
      names = "--job",
      paramLabel = "JOB",
      defaultValue = "demo",
      description =
          "demo: the demo's computation, then leave; none: stay until SIGTERM or until the group"
              + " fails (default: ${DEFAULT-VALUE}).")
  private Job job;

  @Option(
      names = "--work-timeout",
      paramLabel = "SECONDS",
      defaultValue = "300",
      description = "How long the job may take (default: ${DEFAULT-VALUE}).")
  private int workTimeoutSeconds;

  @Option(
      names = {"-v", "--verbose"},
      description = "Log more than warnings, on standard error.")
  private boolean verbose;

  @Override
  public Integer call() throws InterruptedException {
    if (workTimeoutSeconds < 1) {
      throw new ParameterException(
          spec.commandLine(), "--work-timeout is " + workTimeoutSeconds + ", want 1 or more");
    }
    if (verbose) {
      Logging.showInfo();
    }
    if (bootstrap) {
      requireBootstrapLibraries();
    }
    RankPrinter printer = new RankPrinter(spec.commandLine().getOut(), spec.commandLine().getErr());
    RankLife life =
        new RankLife(
            config(),
            UnaryOperator.identity(),
            bootstrap ? BootstrapRendezvous.begin() : RankLife.Rendezvous.SEED_NODES,
            printer::accept);
    return switch (job) {
      case DEMO ->
          life.work(
              List.of((rank, ranks, groups) -> DemoJob.prepare(rank, ranks)),
              Duration.ofSeconds(workTimeoutSeconds));
      case NONE -> life.stay();
    };
  }

  private void requireBootstrapLibraries() {
    try {
      Class.forName(BOOTSTRAP_CLASS, false, RankCommand.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new ParameterException(
          spec.commandLine(),
          "--bootstrap: "
              + BOOTSTRAP_LIBRARY
              + " is not on the class path; add it and what it depends on",
          e);
    }
  }

  private Config config() {
    try {
      Config file =
          ConfigFactory.parseFile(
              configFile.toFile(), ConfigParseOptions.defaults().setAllowMissing(false));
      return ConfigFactory.load(
          file.withFallback(
              ConfigFactory.parseResources(bootstrap ? BOOTSTRAP_CONFIG : RANK_CONFIG)));
    } catch (ConfigException e) {
      throw new ParameterException(spec.commandLine(), "--config: " + e.getMessage(), e);
    }
  }
}
