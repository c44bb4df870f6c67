package io.jaccl4j.cli;

import io.jaccl4j.cli.job.Check;
import io.jaccl4j.cli.job.StepResult;
import java.util.ArrayList;
import java.util.List;

/** Results of a job as text: what the first rank shows, and on how many ranks it is right. */
final class StepTables {

  private StepTables() {}

  /**
   * One step.
   *
   * @param results of the same step, one per rank in rank order; of one rank alone too
   */
  static String render(List<StepResult> results) {
    StepResult first = results.getFirst();
    List<String> header = new ArrayList<>(first.header());
    if (first.isChecked()) {
      header.add("ok");
    }
    Table table = new Table(first.title(), header).note(first.note());
    for (int row = 0; row < first.rows().size(); row++) {
      List<String> cells = new ArrayList<>(first.rows().get(row).cells());
      if (first.isChecked()) {
        cells.add(verdict(results, row));
      }
      table.row(cells);
    }
    return table.render();
  }

  /** One line per failed check, with what was got and what was wanted. */
  static List<String> failures(String label, List<StepResult> steps) {
    List<String> lines = new ArrayList<>();
    for (StepResult step : steps) {
      for (Check check : step.checks()) {
        if (!check.ok()) {
          lines.add(
              label
                  + ": "
                  + step.title()
                  + ": "
                  + check.subject()
                  + ": got "
                  + check.got()
                  + ", want "
                  + check.want());
        }
      }
    }
    return lines;
  }

  private static String verdict(List<StepResult> results, int row) {
    if (results.getFirst().rows().get(row).checks().isEmpty()) {
      return "";
    }
    long ok = results.stream().filter(result -> result.rows().get(row).isOk()).count();
    if (results.size() == 1) {
      return ok == 1 ? "yes" : "NO";
    }
    return (ok == results.size() ? "" : "NO: ") + ok + " of " + results.size();
  }
}
