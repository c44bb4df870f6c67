package io.jaccl4j.cli.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * Makes {@code consumption.csv}: the same text on every machine, since it uses nothing but the four
 * operations on the numbers of a seeded generator. Run {@code main} with the file's path to write
 * it again.
 */
final class SampleTable {
  static final int ROWS = 1501;
  private static final long SEED = 20260101;

  private final SplittableRandom random = new SplittableRandom(SEED);

  private SampleTable() {}

  static String text() {
    SampleTable table = new SampleTable();
    StringBuilder text =
        new StringBuilder(
            """
            # Fuel consumption of an imaginary engine. Synthetic: made by io.jaccl4j.cli.demo.SampleTable (in the
            # tests) from SplittableRandom(20260101); no measurement, nobody's data. Licence: Apache-2.0, as the
            # project. load [kW], speed [1/min], intake [deg C], age [a], consumption [l/h]
            # consumption = 3.5 + 0.21 load + 0.0016 speed + 0.045 intake + 0.38 age + noise of deviation 1.2
            load,speed,intake,age,consumption
            """);
    for (int row = 0; row < ROWS; row++) {
      text.append(table.row());
    }
    return text.toString();
  }

  private String row() {
    double load = 20 + 100 * random.nextDouble();
    double speed = 900 + 9 * load + 120 * noise();
    double intake = 18 + 7 * noise();
    double age = 12 * random.nextDouble();
    double consumption =
        3.5 + 0.21 * load + 0.0016 * speed + 0.045 * intake + 0.38 * age + 1.2 * noise();
    return String.format(
            Locale.ROOT, "%.2f,%.1f,%.2f,%.2f,%.3f%n", load, speed, intake, age, consumption)
        .replace("\r", "");
  }

  /** Nearly normal with deviation 1: twelve uniform numbers have a variance of 1. */
  private double noise() {
    double sum = -6;
    for (int i = 0; i < 12; i++) {
      sum += random.nextDouble();
    }
    return sum;
  }

  public static void main(String[] args) throws IOException {
    Files.writeString(Path.of(args[0]), text());
  }
}
