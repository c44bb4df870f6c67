package io.jaccl4j.cli.launch;

import java.util.ArrayList;
import java.util.List;

/** A plan for people: what would be run where. */
public final class PlanText {
  private static final String SECRET = "JACCL4J_KEY";

  private PlanText() {}

  /** A paragraph for each rank. */
  public static String render(LaunchPlan plan) {
    StringBuilder text = new StringBuilder();
    for (RankPlan rank : plan.ranks()) {
      text.append(rank.label()).append('\n');
      rank.host().ifPresent(host -> text.append("  over   ssh ").append(host).append('\n'));
      rank.directory()
          .ifPresent(
              directory ->
                  text.append("  in     ")
                      .append(directory)
                      .append(rank.directoryRequired() ? "" : " if there is one")
                      .append('\n'));
      List<String> environment = new ArrayList<>();
      rank.environment()
          .forEach(
              (name, value) -> environment.add(name + "=" + (name.equals(SECRET) ? "…" : value)));
      text.append("  with   ").append(ShellText.line(environment));
      rank.files()
          .forEach(
              file -> text.append(' ').append(file.variable()).append("=…/").append(file.name()));
      text.append('\n');
      text.append("  runs   ").append(ShellText.line(rank.command())).append('\n');
    }
    // The same for every rank.
    for (RankFile file : plan.ranks().getFirst().files()) {
      text.append(file.name()).append('\n').append(file.content().indent(2));
    }
    return text.toString();
  }
}
