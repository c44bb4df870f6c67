package io.jaccl4j.cli;

import io.jaccl4j.fabric.verbs.DeviceSurvey;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists the RDMA devices of this machine. */
@Command(
    name = "devices",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    usageHelpAutoWidth = true,
    header = "List the RDMA devices of this machine.",
    description = {
      "",
      "Shows of each device what a group needs to know: whether its port is up, its addresses (GIDs)"
          + " and which of them a group takes, the MTU, the limits. Where there is no device, it says"
          + " what is missing.",
      ""
    },
    exitCodeListHeading = Help.EXIT_CODES_HEADING,
    exitCodeList = {
      "0:There is a device with a port that is up.",
      "1:There is none.",
      Help.USAGE,
    },
    footerHeading = Help.EXAMPLES_HEADING,
    footer = {
      "  devices                    a table",
      "  devices --json             the same for programs",
    })
final class DevicesCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(names = "--json", description = "Print one JSON document instead of tables.")
  private boolean json;

  @Option(
      names = "--library",
      paramLabel = "FILE",
      description = "The verbs library, if not the system's (jaccl4j.verbs.library).")
  private Path library;

  @Override
  public Integer call() {
    DeviceSurvey survey = DeviceSurvey.take(Optional.ofNullable(library));
    PrintWriter out = spec.commandLine().getOut();
    out.print(json ? Json.render(survey) : DeviceTables.render(survey));
    out.flush();
    boolean usable =
        survey.devices().stream()
            .flatMap(device -> device.port().stream())
            .anyMatch(port -> port.state().equals("ACTIVE"));
    return usable ? ExitCode.OK : ExitCode.FAILED;
  }
}
