package io.jaccl4j.cli.job;

import java.util.List;

/**
 * What one step of a job found, as one rank sees it.
 *
 * @param title of the table
 * @param header one word per column
 * @param rows in order
 * @param note a line below the table, or the empty string
 */
public record StepResult(String title, List<String> header, List<Row> rows, String note) {

  public StepResult {
    header = List.copyOf(header);
    rows = List.copyOf(rows);
    for (Row row : rows) {
      if (row.cells().size() != header.size()) {
        throw new IllegalArgumentException(
            title + ": row has " + row.cells().size() + " cells, want " + header.size());
      }
    }
  }

  /** Whether any row was checked. */
  public boolean isChecked() {
    return rows.stream().anyMatch(row -> !row.checks().isEmpty());
  }

  /** All checks of all rows. */
  public List<Check> checks() {
    return rows.stream().flatMap(row -> row.checks().stream()).toList();
  }

  /**
   * One row.
   *
   * @param cells as many as the header has
   * @param checks of what the row shows; may be empty
   */
  public record Row(List<String> cells, List<Check> checks) {

    public Row {
      cells = List.copyOf(cells);
      checks = List.copyOf(checks);
    }

    /** Whether no check failed. */
    public boolean isOk() {
      return checks.stream().allMatch(Check::ok);
    }
  }
}
