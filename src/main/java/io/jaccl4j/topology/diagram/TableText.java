package io.jaccl4j.topology.diagram;

import java.util.ArrayList;
import java.util.List;

/** A diagram as a table for a terminal; broken links are marked with an X and their fault. */
public final class TableText {
  private TableText() {}

  /** The table, one line for each link. */
  public static String render(TopologyDiagram diagram) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("", "from", "devices", "to", "devices", "state"));
    for (DrawnLink link : diagram.links()) {
      rows.add(
          List.of(
              link.isBroken() ? "X" : "",
              diagram.labels().get(link.first()),
              DrawnLink.names(link.firstDevices()),
              diagram.labels().get(link.second()),
              DrawnLink.names(link.secondDevices()),
              link.fault().orElse("ok")));
    }
    StringBuilder text = new StringBuilder(diagram.title()).append('\n');
    int[] widths = widths(rows);
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int column = 0; column < row.size(); column++) {
        String cell = row.get(column);
        line.append(cell).append(" ".repeat(widths[column] - cell.length() + 2));
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
    for (String fault : diagram.faults()) {
      text.append("X  ").append(fault).append('\n');
    }
    return text.toString();
  }

  private static int[] widths(List<List<String>> rows) {
    int[] widths = new int[rows.getFirst().size()];
    for (List<String> row : rows) {
      for (int column = 0; column < widths.length; column++) {
        widths[column] = Math.max(widths[column], row.get(column).length());
      }
    }
    return widths;
  }
}
