package io.jaccl4j.cli.bench.report;

import io.jaccl4j.cli.bench.Measurement;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** One line per measurement. No field holds a comma or a quote. */
public final class CsvReport {

  private CsvReport() {}

  /** The header and the lines. */
  public static String render(List<Measurement> measurements) {
    List<Map<String, Object>> rows = measurements.stream().map(MeasurementColumns::of).toList();
    StringBuilder text = new StringBuilder();
    if (!rows.isEmpty()) {
      text.append(String.join(",", rows.getFirst().keySet())).append('\n');
    }
    for (Map<String, Object> row : rows) {
      text.append(row.values().stream().map(CsvReport::cell).collect(Collectors.joining(",")))
          .append('\n');
    }
    return text.toString();
  }

  private static String cell(Object value) {
    return value == MeasurementColumns.UNKNOWN ? "" : value.toString();
  }
}
