package io.jaccl4j.cli.bench.report;

import java.util.ArrayList;
import java.util.List;

/** A logarithmic scale from values to positions in the drawing. */
final class LogAxis {
  private static final int MAX_SIZE_LABELS = 9;

  private final double min;
  private final double max;
  private final double start;
  private final double end;

  /**
   * A scale.
   *
   * @param min value at position {@code start}, more than 0
   * @param max value at position {@code end}, more than {@code min}
   */
  LogAxis(double min, double max, double start, double end) {
    this.min = min;
    this.max = max;
    this.start = start;
    this.end = end;
  }

  /** A scale that holds all values, from a power of ten to a power of ten. */
  static LogAxis ofDecades(double least, double greatest, double start, double end) {
    double min = Math.pow(10, Math.floor(Math.log10(least)));
    double max = Math.pow(10, Math.ceil(Math.log10(greatest)));
    return new LogAxis(min, max > min ? max : 10 * min, start, end);
  }

  double position(double value) {
    double share = (Math.log(value) - Math.log(min)) / (Math.log(max) - Math.log(min));
    return start + share * (end - start);
  }

  /** The powers of ten. */
  List<Double> decades() {
    List<Double> ticks = new ArrayList<>();
    for (long exponent = Math.round(Math.log10(min));
        exponent <= Math.round(Math.log10(max));
        exponent++) {
      ticks.add(Double.parseDouble("1e" + exponent));
    }
    return ticks;
  }

  /** Two to nine times each power of ten but the last. */
  List<Double> betweenDecades() {
    List<Double> ticks = new ArrayList<>();
    for (double decade : decades().subList(0, decades().size() - 1)) {
      for (int factor = 2; factor < 10; factor++) {
        ticks.add(factor * decade);
      }
    }
    return ticks;
  }

  /** Powers of two, as many as can be labelled. */
  List<Double> powersOfTwo() {
    int first = (int) Math.ceil(Math.log(min) / Math.log(2) - 1e-9);
    int last = (int) Math.floor(Math.log(max) / Math.log(2) + 1e-9);
    int step = Math.max(1, Math.ceilDiv(last - first + 1, MAX_SIZE_LABELS));
    List<Double> ticks = new ArrayList<>();
    for (int exponent = first; exponent <= last; exponent += step) {
      ticks.add(Math.pow(2, exponent));
    }
    return ticks;
  }
}
