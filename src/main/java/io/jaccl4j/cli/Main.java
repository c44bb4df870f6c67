package io.jaccl4j.cli;

import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

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
      BenchCommand.class,
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
public final class Main implements Runnable {
  @Spec private CommandSpec spec;

  /** Runs a command and ends the JVM with its exit code. */
  public static void main(String[] args) {
    Logging.configure();
    System.exit(commandLine().execute(args));
  }

  /** The commands, ready to execute. */
  static CommandLine commandLine() {
    IExecutionExceptionHandler onException =
        (exception, commandLine, parsed) -> {
          PrintWriter err = commandLine.getErr();
          err.println("FAILED: unexpected, please report this:");
          exception.printStackTrace(err);
          err.flush();
          return ExitCode.FAILED;
        };
    return new CommandLine(new Main())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionExceptionHandler(onException);
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "no command given");
  }
}
