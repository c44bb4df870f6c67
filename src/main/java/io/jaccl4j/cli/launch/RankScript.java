package io.jaccl4j.cli.launch;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * How a rank is started: a shell reads a program from its standard input and becomes the rank's
 * keeper. So the environment stands on no command line, where every user of a machine sees it, and
 * nothing has to survive the quoting of a login shell.
 */
final class RankScript {
  private static final String KEEPER = "rank.sh";

  private static final List<String> SSH =
      List.of(
          "ssh",
          "-T",
          // A question would be asked by all ranks at once, and stop the launch.
          "-o",
          "BatchMode=yes",
          "-o",
          "ConnectTimeout=10",
          // A host that is gone is noticed within 15 s.
          "-o",
          "ServerAliveInterval=5",
          "-o",
          "ServerAliveCountMax=3",
          "--");

  private final RankPlan plan;
  private final byte[] program;

  /**
   * The script of a rank.
   *
   * @param grace how long it may take to end when it is told to, whole seconds
   */
  RankScript(RankPlan plan, Duration grace) {
    this.plan = plan;
    this.program = text(plan, grace).getBytes(StandardCharsets.UTF_8);
  }

  /** What its standard input begins with. */
  byte[] program() {
    return program.clone();
  }

  /** The process to start on this machine. */
  List<String> command() {
    String read = "eval \"$(dd ibs=1 obs=65536 count=" + program.length + " 2>/dev/null)\"";
    if (plan.host().isEmpty()) {
      return List.of("/bin/sh", "-c", read);
    }
    List<String> command = new ArrayList<>(SSH);
    command.add(plan.host().get());
    command.add("exec /bin/sh -c " + ShellText.quoted(read));
    return command;
  }

  private static String text(RankPlan plan, Duration grace) {
    StringBuilder text = new StringBuilder();
    // In braces: a shell does nothing of it before it has read all of it, should the launcher die.
    text.append("{\nlaunch_grace_seconds=").append(grace.toSeconds()).append('\n');
    text.append("write_files() {\n:");
    for (RankFile file : plan.files()) {
      text.append(" &&\nprintf %s ").append(ShellText.quoted(file.content()));
      text.append(" >").append(path(file));
    }
    text.append("\n}\nset_environment() {\n");
    text.append("unset ").append(String.join(" ", LaunchPlan.OWNED.stream().sorted().toList()));
    text.append('\n');
    for (RankFile file : plan.files()) {
      text.append("export ").append(file.variable()).append('=').append(path(file)).append('\n');
    }
    for (Map.Entry<String, String> variable : plan.environment().entrySet()) {
      text.append("export ").append(variable.getKey()).append('=');
      text.append(ShellText.quoted(variable.getValue())).append('\n');
    }
    plan.directory()
        .ifPresent(
            directory ->
                text.append("cd ")
                    .append(ShellText.quoted(directory))
                    .append(plan.directoryRequired() ? "" : " 2>/dev/null || :")
                    .append('\n'));
    text.append("}\nset --");
    plan.command().forEach(word -> text.append(' ').append(ShellText.quoted(word)));
    return text.append('\n').append(keeper()).append("}\n").toString();
  }

  private static String path(RankFile file) {
    return "\"$launch_directory/" + file.name() + "\"";
  }

  private static String keeper() {
    try (InputStream in = RankScript.class.getResourceAsStream(KEEPER)) {
      if (in == null) {
        throw new IllegalStateException(KEEPER + " is not on the class path; is the jar complete?");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
