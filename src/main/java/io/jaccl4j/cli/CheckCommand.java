package io.jaccl4j.cli;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Looks at the configuration as a rank would, without connecting. */
@Command(
    name = "check",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    usageHelpAutoWidth = true,
    header = "Check what a rank on this machine would start with.",
    description = {
      "",
      "Reads MLX's environment variables and files as a rank would, and does everything short of"
          + " connecting: the files are read, the cabling is judged, the devices of this rank's row are"
          + " looked for and asked for their ports. Prints every value with where it came from, and what"
          + " is wrong with what to do about it.",
      ""
    },
    exitCodeListHeading = Help.EXIT_CODES_HEADING,
    exitCodeList = {
      "0:A rank could start.",
      "1:It could not; the findings say why.",
      Help.USAGE,
    },
    footerHeading = Help.EXAMPLES_HEADING,
    footer = {
      "  check                      tables",
      "  check --json               the same for programs",
      "  check --backend ring       as if MLX's TCP ring had been asked for",
    })
final class CheckCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(names = "--json", description = "Print one JSON document instead of tables.")
  private boolean json;

  @Option(
      names = "--backend",
      paramLabel = "BACKEND",
      defaultValue = "any",
      description = "any, ring or jaccl (default: ${DEFAULT-VALUE}).")
  private String backend;

  @Override
  public Integer call() {
    CheckReport report = CheckReport.of(System.getenv(), backend);
    PrintWriter out = spec.commandLine().getOut();
    out.print(json ? Json.render(report) : report.render());
    out.flush();
    return report.canStart() ? ExitCode.OK : ExitCode.FAILED;
  }
}
