package io.jaccl4j.cli;

import io.jaccl4j.ConfigurationException;
import io.jaccl4j.Topology;
import io.jaccl4j.config.mlx.DeviceFile;
import io.jaccl4j.topology.DeviceMatrix;
import io.jaccl4j.topology.diagram.DotText;
import io.jaccl4j.topology.diagram.SvgDrawing;
import io.jaccl4j.topology.diagram.TableText;
import io.jaccl4j.topology.diagram.TopologyDiagram;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Draws the cabling that a device file describes. */
@Command(
    name = "topology",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    usageHelpAutoWidth = true,
    header = "Show the cabling that a device file describes, and what is wrong with it.",
    description = {
      "",
      "Reads a device matrix of MLX (MLX_IBV_DEVICES): a row per rank, a column per peer, the devices"
          + " that link the two. Needs no hardware.",
      ""
    },
    exitCodeListHeading = Help.EXIT_CODES_HEADING,
    exitCodeList = {
      "0:The cabling is sound.",
      "1:A link is broken, or the file cannot be used.",
      Help.USAGE,
    },
    footerHeading = Help.EXAMPLES_HEADING,
    footer = {
      "  topology devices.json              a table, as a mesh if it can be one",
      "  topology devices.json --topology ring --svg ring.svg",
      "                                     a picture of the ring, broken links in red",
      "  topology devices.json --dot        for Graphviz",
    })
final class TopologyCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "FILE", description = "The device matrix, JSON.")
  private Path file;

  @Option(
      names = "--topology",
      paramLabel = "TOPOLOGY",
      defaultValue = "auto",
      description = "auto, mesh or ring (default: ${DEFAULT-VALUE}).")
  private Topology topology;

  @Option(names = "--dot", description = "Print DOT instead of a table.")
  private boolean dot;

  @Option(names = "--svg", paramLabel = "SVG", description = "Also draw a picture into this file.")
  private Path svg;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    TopologyDiagram diagram;
    try {
      DeviceMatrix matrix = DeviceFile.read(file);
      diagram = TopologyDiagram.of(matrix, wanted(matrix), List.of());
      if (svg != null) {
        Files.writeString(svg, SvgDrawing.render(diagram));
      }
    } catch (ConfigurationException e) {
      err.println(e.getMessage());
      err.flush();
      return ExitCode.FAILED;
    } catch (IOException e) {
      err.println("cannot write " + svg + ": " + e.getMessage());
      err.flush();
      return ExitCode.FAILED;
    }
    out.print(dot ? DotText.render(diagram) : TableText.render(diagram));
    out.flush();
    return diagram.isSound() ? ExitCode.OK : ExitCode.FAILED;
  }

  /** A ring where only a ring is there; else a mesh, whose faults tell most. */
  private Topology wanted(DeviceMatrix matrix) {
    if (topology != Topology.AUTO) {
      return topology;
    }
    return !matrix.isMesh() && matrix.isRing() ? Topology.RING : Topology.MESH;
  }
}
