package io.jaccl4j.example;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;

/** Points in the plane, each with a label, and the share of them that one rank works on. */
final class TrainingData {
  private static final String RESOURCE = "rings.csv";

  /** One point; the label is 0 or 1. */
  record Point(float x, float y, float label) {}

  private TrainingData() {}

  /** All points, in the order of the file. */
  static List<Point> all() {
    try (InputStream file = TrainingData.class.getResourceAsStream(RESOURCE);
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(file, StandardCharsets.UTF_8))) {
      return lines
          .lines()
          .filter(line -> !line.startsWith("#") && !line.startsWith("x"))
          .map(line -> line.split(","))
          .map(
              cells ->
                  new Point(
                      Float.parseFloat(cells[0]),
                      Float.parseFloat(cells[1]),
                      Float.parseFloat(cells[2])))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Every {@code size}-th point from the {@code rank}-th on. */
  static List<Point> share(int rank, int size) {
    List<Point> all = all();
    return IntStream.range(0, all.size()).filter(i -> i % size == rank).mapToObj(all::get).toList();
  }
}
