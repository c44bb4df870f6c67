package io.jaccl4j.cli.bench.report;

import io.jaccl4j.cli.bench.Measurement;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What was measured where, then one object per measurement with the names of the CSV columns. */
public final class JsonReport {

  private JsonReport() {}

  /**
   * A JSON document.
   *
   * @param setting what every measurement depends on
   */
  public static String render(Map<String, String> setting, List<Measurement> measurements) {
    return measurements.stream()
        .map(measurement -> "    " + object(MeasurementColumns.of(measurement)))
        .collect(
            Collectors.joining(
                ",\n",
                "{\n  \"setting\": " + object(setting) + ",\n  \"measurements\": [\n",
                "\n  ]\n}\n"));
  }

  private static String object(Map<String, ?> fields) {
    return fields.entrySet().stream()
        .map(field -> string(field.getKey()) + ": " + value(field.getValue()))
        .collect(Collectors.joining(", ", "{", "}"));
  }

  private static String value(Object value) {
    if (value == MeasurementColumns.UNKNOWN) {
      return "null";
    }
    return switch (value) {
      case String text -> string(text);
      // JSON has no infinity and no NaN.
      case Double number when !Double.isFinite(number) -> "null";
      default -> value.toString();
    };
  }

  private static String string(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"', '\\' -> quoted.append('\\').append(c);
        default -> {
          if (c < 0x20) {
            quoted.append(String.format("\\u%04x", (int) c));
          } else {
            quoted.append(c);
          }
        }
      }
    }
    return quoted.append('"').toString();
  }
}
