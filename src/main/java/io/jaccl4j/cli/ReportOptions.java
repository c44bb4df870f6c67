package io.jaccl4j.cli;

import io.jaccl4j.cli.bench.BenchmarkPlan;
import io.jaccl4j.cli.bench.Measurement;
import io.jaccl4j.cli.bench.exchange.Operation;
import io.jaccl4j.cli.bench.report.CsvReport;
import io.jaccl4j.cli.bench.report.JsonReport;
import io.jaccl4j.cli.bench.report.SvgReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** Where to put the numbers besides standard output. */
final class ReportOptions {

  @Option(
      names = "--csv",
      paramLabel = "FILE",
      description = "Write the numbers as comma-separated values, times in nanoseconds.")
  private Path csv;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Write the numbers as JSON, with what was measured and where.")
  private Path json;

  @Option(
      names = "--plot",
      paramLabel = "FILE.svg",
      description = "Draw bandwidth and time over size, for a browser.")
  private Path plot;

  /** Throws an IllegalArgumentException that says what is wrong, before anything is measured. */
  void validate(Operation operation) {
    if (plot != null && !operation.hasData()) {
      throw new IllegalArgumentException(operation.label() + " has no sizes to --plot");
    }
    Stream.of(csv, json, plot)
        .filter(file -> file != null)
        .forEach(
            file -> {
              Path directory = file.toAbsolutePath().getParent();
              if (Files.isDirectory(file) || !Files.isWritable(directory)) {
                throw new IllegalArgumentException(file + " cannot be written");
              }
            });
  }

  /** Writes what was asked for; says what could not be written and returns false then. */
  boolean write(
      CommandLine commandLine,
      BenchmarkPlan plan,
      GroupShape shape,
      List<Measurement> measurements) {
    boolean csvWritten = write(commandLine, csv, () -> CsvReport.render(measurements));
    boolean jsonWritten =
        write(commandLine, json, () -> JsonReport.render(setting(plan, shape), measurements));
    boolean plotWritten =
        write(commandLine, plot, () -> SvgReport.render(subtitle(shape), measurements));
    return csvWritten && jsonWritten && plotWritten;
  }

  @FunctionalInterface
  private interface Report {
    String render();
  }

  private static boolean write(CommandLine commandLine, Path file, Report report) {
    if (file == null) {
      return true;
    }
    try {
      Files.writeString(file, report.render());
      commandLine.getErr().println("wrote " + file);
      return true;
    } catch (IOException e) {
      commandLine.getErr().println("FAILED: " + file + " could not be written: " + e);
      return false;
    } finally {
      commandLine.getErr().flush();
    }
  }

  /** What every number depends on and no single one says. */
  private static Map<String, String> setting(BenchmarkPlan plan, GroupShape shape) {
    Map<String, String> setting = new TreeMap<>();
    setting.put("java", Runtime.version().toString());
    setting.put("processors", Integer.toString(Runtime.getRuntime().availableProcessors()));
    setting.put("os", System.getProperty("os.name") + " " + System.getProperty("os.arch"));
    setting.put("fabric", shape.fabric());
    setting.put("topology", lowerCase(shape.topology()));
    setting.put("wires", Integer.toString(shape.wires()));
    setting.put("wire", lowerCase(shape.wire()));
    setting.put("in_place", Boolean.toString(plan.inPlace()));
    setting.put("memory", plan.plainMemory() ? "plain" : "group");
    return setting;
  }

  private static String subtitle(GroupShape shape) {
    return String.format(
        "topology %s, wire %s, %d processors, Java %s",
        lowerCase(shape.topology()),
        lowerCase(shape.wire()),
        Runtime.getRuntime().availableProcessors(),
        Runtime.version().feature());
  }

  private static String lowerCase(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
