package io.jaccl4j.cli;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** Entry point of the commands. */
@Command(
    name = "jaccl4j",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    usageHelpAutoWidth = true,
    header = "RDMA collectives for the JVM, with Apache Pekko cluster members as ranks.",
    description = {
      "",
      "Begin with 'demo', which needs nothing but this machine. 'jaccl4j help COMMAND' explains a"
          + " command and gives examples.",
      ""
    },
    subcommands = {
      DemoCommand.class,
      RankCommand.class,
      LaunchCommand.class,
      BenchCommand.class,
      DevicesCommand.class,
      CheckCommand.class,
      TopologyCommand.class,
      SpawnedRankCommand.class,
      HelpCommand.class,
    },
    exitCodeListHeading = Help.EXIT_CODES_HEADING,
    exitCodeList = {
      Help.OK,
      Help.FAILED,
      Help.USAGE,
      Help.NOT_FORMED,
      Help.INTERRUPTED,
    })
public final class Main implements Callable<Integer> {
  @Spec private CommandSpec spec;

  /** Runs a command and ends the JVM with its exit code. */
  public static void main(String[] args) {
    Logging.configure();
    System.exit(commandLine().execute(args));
  }

  /** The commands, ready to execute. */
  static CommandLine commandLine() {
    CommandLine commandLine = new CommandLine(new Main());
    // What follows the program's name are the program's options.
    commandLine.getSubcommands().get(LaunchCommand.NAME).setStopAtPositional(true);
    return commandLine
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler(Main::refuse)
        .setExecutionExceptionHandler(Main::fail);
  }

  /** Without a command there is nothing to do but to say which there are. */
  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getErr());
    return ExitCode.USAGE;
  }

  private static int refuse(ParameterException exception, String[] arguments) {
    CommandLine commandLine = exception.getCommandLine();
    PrintWriter err = commandLine.getErr();
    err.println(exception.getMessage());
    UnmatchedArgumentException.printSuggestions(exception, err);
    err.println("Try '" + commandLine.getCommandSpec().qualifiedName() + " --help'.");
    err.flush();
    return ExitCode.USAGE;
  }

  private static int fail(Exception exception, CommandLine commandLine, ParseResult parsed) {
    PrintWriter err = commandLine.getErr();
    err.println("FAILED: unexpected, please report this:");
    exception.printStackTrace(err);
    err.flush();
    return ExitCode.FAILED;
  }
}
