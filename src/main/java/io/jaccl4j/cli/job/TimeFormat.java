package io.jaccl4j.cli.job;

import java.util.Locale;

/** Durations as text, in the unit that suits their size. */
public final class TimeFormat {

  private TimeFormat() {}

  /** For instance {@code 2.1 ns}, {@code 0.85 us}, {@code 12.3 ms}, {@code 4.20 s}. */
  public static String nanos(double nanos) {
    if (nanos < 100) {
      return format("%.1f ns", nanos);
    }
    if (nanos < 1e5) {
      return format("%.2f us", nanos / 1e3);
    }
    if (nanos < 1e6) {
      return format("%.1f us", nanos / 1e3);
    }
    if (nanos < 1e7) {
      return format("%.2f ms", nanos / 1e6);
    }
    if (nanos < 1e9) {
      return format("%.1f ms", nanos / 1e6);
    }
    return format("%.2f s", nanos / 1e9);
  }

  private static String format(String pattern, double value) {
    return String.format(Locale.ROOT, pattern, value);
  }
}
