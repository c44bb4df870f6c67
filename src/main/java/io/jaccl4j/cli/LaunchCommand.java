package io.jaccl4j.cli;

import io.jaccl4j.ConfigurationException;
import io.jaccl4j.cli.launch.LaunchBackend;
import io.jaccl4j.cli.launch.LaunchPlan;
import io.jaccl4j.cli.launch.LaunchRequest;
import io.jaccl4j.cli.launch.Launcher;
import io.jaccl4j.cli.launch.PlanText;
import io.jaccl4j.cli.launch.StandardStreams;
import io.jaccl4j.config.mlx.LaunchHostfile;
import io.jaccl4j.config.mlx.OwnRank;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Starts the ranks of any program as {@code mlx.launch} does. */
@Command(
    name = LaunchCommand.NAME,
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    usageHelpAutoWidth = true,
    header = "Start a program as several ranks, on this machine or over ssh.",
    description = {
      "",
      "Does what mlx.launch does, for programs that call Jaccl.init and for MLX's own: every rank is"
          + " told its number and its peers by MLX's environment variables. What ranks print gets their"
          + " number in front, what this command reads goes to all of them.",
      "",
      "The first rank that fails ends the others (SIGTERM, then SIGKILL), with all that they have"
          + " started. The same happens when this command ends, however that comes about.",
      ""
    },
    exitCodeListHeading = Help.EXIT_CODES_HEADING,
    exitCodeList = {
      Help.OK,
      "1:A rank could not be started, or its output not be shown.",
      Help.USAGE,
      Help.INTERRUPTED,
      "other:That of the rank that failed first: 128 and the number of a signal that ended it, 127 if"
          + " there is no such program, 125 if its machine cannot run ranks, 255 if ssh failed.",
    },
    footerHeading = Help.EXAMPLES_HEADING,
    footer = {
      "  launch -n 4 -- java -jar train.jar",
      "                             four ranks on this machine, over MLX's TCP ring",
      "  launch --hostfile hosts.json --backend jaccl -- python train.py",
      "                             a rank on each host, over RDMA",
      "  launch --hostfile hosts.json --dry-run -- hostname",
      "                             what would be run where",
    })
final class LaunchCommand implements Callable<Integer> {
  static final String NAME = "launch";

  private static final int MAX_GRACE_SECONDS = 3600;

  @Spec private CommandSpec spec;

  @ArgGroup(multiplicity = "1")
  private Where where;

  /** Where the ranks are. */
  private static final class Where {
    @Option(
        names = {"-n", "--ranks"},
        paramLabel = "RANKS",
        description = "So many ranks on this machine.")
    private Integer ranks;

    @Option(
        names = "--hostfile",
        paramLabel = "FILE",
        description =
            "A rank on each host of this file: a list of {\"ssh\": NAME, \"ips\": [ADDRESS, …], \"rdma\":"
                + " [DEVICE, …]}, or {\"backend\": …, \"envs\": [NAME=VALUE, …], \"hosts\": […]} around it. Hosts"
                + " other than this machine are reached with ssh, which must not ask for a password.")
    private Path hostfile;
  }

  @Option(
      names = "--backend",
      paramLabel = "BACKEND",
      description =
          "ring: MLX's TCP ring; jaccl: RDMA, a mesh if there can be one; jaccl-ring: RDMA, a ring if"
              + " there can be one; any: ring, and jaccl if every host has \"rdma\" (default: the"
              + " hostfile's, else ring).")
  private String backend;

  @Option(
      names = "--starting-port",
      paramLabel = "PORT",
      defaultValue = "" + LaunchHostfile.DEFAULT_STARTING_PORT,
      description =
          "The ring's first port, counted up over ranks, addresses and connections; the coordinator's"
              + " port of jaccl (default: ${DEFAULT-VALUE}).")
  private int startingPort;

  @Option(
      names = "--connections-per-ip",
      paramLabel = "COUNT",
      defaultValue = "1",
      description = "The ring's parallel connections for each address (default: ${DEFAULT-VALUE}).")
  private int connectionsPerIp;

  @Option(
      names = "--env",
      paramLabel = "NAME[=VALUE]",
      description =
          "A variable for every rank; without a value, that of this command. Repeat it for more.")
  private List<String> environment = List.of();

  @Option(
      names = "--cwd",
      paramLabel = "DIRECTORY",
      description =
          "Where ranks work; it must be there on every host (default: this directory, where there is"
              + " one of its name).")
  private String directory;

  @Option(
      names = "--grace",
      paramLabel = "SECONDS",
      defaultValue = "5",
      description =
          "How long ranks may take to end after SIGTERM before they are killed (default:"
              + " ${DEFAULT-VALUE}).")
  private int graceSeconds;

  @Option(
      names = {"--dry-run", "--print"},
      description = "Print what would be run where, and run nothing.")
  private boolean dryRun;

  @Parameters(
      paramLabel = "COMMAND",
      arity = "1..*",
      description = "The program and its arguments, after \"--\" or the last option.")
  private List<String> command;

  @Override
  public Integer call() throws InterruptedException {
    LaunchPlan plan;
    try {
      plan = plan();
    } catch (ConfigurationException | IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
    if (dryRun) {
      PrintWriter out = spec.commandLine().getOut();
      out.print(PlanText.render(plan));
      out.flush();
      return ExitCode.OK;
    }
    try (Launcher launcher =
        new Launcher(plan, Duration.ofSeconds(graceSeconds), StandardStreams.ofProcess())) {
      return launcher.run();
    } catch (IOException e) {
      PrintWriter err = spec.commandLine().getErr();
      err.println("launch: a rank cannot be started: " + e.getMessage());
      err.flush();
      return ExitCode.FAILED;
    }
  }

  private LaunchPlan plan() {
    if (graceSeconds < 0 || graceSeconds > MAX_GRACE_SECONDS) {
      throw new ConfigurationException(
          "--grace is " + graceSeconds + ", want 0 to " + MAX_GRACE_SECONDS);
    }
    LaunchRequest request =
        new LaunchRequest(
            Optional.ofNullable(backend).map(LaunchBackend::named),
            startingPort,
            connectionsPerIp,
            variables(),
            Optional.ofNullable(directory),
            command);
    return where.hostfile == null
        ? LaunchPlan.onThisMachine(where.ranks, request)
        : LaunchPlan.onHosts(where.hostfile, request, OwnRank.ofThisMachine()::isHere);
  }

  private Map<String, String> variables() {
    Map<String, String> variables = new LinkedHashMap<>();
    for (String item : environment) {
      int end = item.indexOf('=');
      String name = end < 0 ? item : item.substring(0, end);
      String value = end < 0 ? System.getenv(name) : item.substring(end + 1);
      if (value == null) {
        throw new ConfigurationException(
            "--env " + name + ": it is not set here, want " + name + "=VALUE");
      }
      variables.put(name, value);
    }
    return variables;
  }
}
