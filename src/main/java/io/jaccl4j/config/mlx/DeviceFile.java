package io.jaccl4j.config.mlx;

import com.fasterxml.jackson.core.JsonGenerator;
import io.jaccl4j.ConfigurationException;
import io.jaccl4j.topology.DeviceMatrix;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * JACCL's device file: a list with one row for each rank, each a list with one cell for each rank.
 * A cell is {@code null}, a device name, or a list of device names.
 */
public final class DeviceFile {
  private static final String WANT = "a device matrix, such as [[null, \"rdma_en5\"], …]";
  private static final String WANT_CELL = "null, a device name or a list of device names";

  private DeviceFile() {}

  /**
   * Reads a file.
   *
   * @throws ConfigurationException if it is none; names file, line, column and rank
   */
  public static DeviceMatrix read(Path file) {
    return matrix(JsonDocument.read(file, WANT));
  }

  /**
   * Reads a text.
   *
   * @param origin what to call it in complaints
   */
  public static DeviceMatrix parse(String text, String origin) {
    return matrix(JsonDocument.parse(text, origin, WANT));
  }

  private static DeviceMatrix matrix(JsonItem root) {
    List<JsonItem> rows = root.asList("the file", WANT);
    if (rows.isEmpty()) {
      throw root.error("the list is empty, want one row for each rank");
    }
    List<List<List<String>>> devices = new ArrayList<>();
    for (int rank = 0; rank < rows.size(); rank++) {
      devices.add(row(rows.get(rank), rank, rows.size()));
    }
    return DeviceMatrix.of(devices);
  }

  /** The row of a rank, as {@code size} ranks need it. */
  static List<List<String>> row(JsonItem row, int rank, int size) {
    List<JsonItem> cells =
        row.asList("row of rank " + rank, "a list with one cell for each of " + size + " ranks");
    if (cells.size() != size) {
      throw row.error(
          "row of rank %d has %d cells, want %d, one for each rank"
              .formatted(rank, cells.size(), size));
    }
    List<List<String>> names = new ArrayList<>();
    for (int peer = 0; peer < size; peer++) {
      names.add(cell(cells.get(peer), "rank " + rank + ", device towards rank " + peer));
    }
    return names;
  }

  private static List<String> cell(JsonItem cell, String subject) {
    return switch (cell.kind()) {
      case NULL -> List.of();
      case TEXT -> List.of(name(cell, subject));
      case LIST -> cell.items().stream().map(item -> name(item, subject)).toList();
      default -> throw cell.unwanted(subject, WANT_CELL);
    };
  }

  private static String name(JsonItem item, String subject) {
    String name = item.asText(subject, "a device name");
    if (name.isBlank()) {
      throw item.error(subject + " is blank, want " + WANT_CELL);
    }
    return name;
  }

  /** What {@link #parse} and JACCL read. */
  public static String toJson(DeviceMatrix matrix) {
    return JsonFile.text(
        json -> {
          json.writeStartArray();
          for (int rank = 0; rank < matrix.size(); rank++) {
            json.writeStartArray();
            for (int peer = 0; peer < matrix.size(); peer++) {
              writeCell(json, matrix.devices(rank, peer));
            }
            json.writeEndArray();
          }
          json.writeEndArray();
        });
  }

  private static void writeCell(JsonGenerator json, List<String> names) throws IOException {
    switch (names.size()) {
      case 0 -> json.writeNull();
      case 1 -> json.writeString(names.getFirst());
      default -> {
        json.writeStartArray();
        for (String name : names) {
          json.writeString(name);
        }
        json.writeEndArray();
      }
    }
  }

  /**
   * Writes it to a file, so that a reader sees the whole file or none of it.
   *
   * @throws ConfigurationException if the file cannot be written
   */
  public static void write(DeviceMatrix matrix, Path file) {
    JsonFile.write(file, toJson(matrix));
  }
}
