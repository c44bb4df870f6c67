package io.jaccl4j.cli.bench.report;

import io.jaccl4j.cli.bench.Measurement;
import io.jaccl4j.cli.bench.Timing;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** The names and values that CSV and JSON have in common: strings, longs and doubles. */
final class MeasurementColumns {
  /** Nothing was measured here. */
  static final Object UNKNOWN = new Object();

  private static final double DIGITS = 1e6;

  private MeasurementColumns() {}

  static Map<String, Object> of(Measurement measurement) {
    Timing timing = measurement.timing();
    Map<String, Object> columns = new LinkedHashMap<>();
    columns.put("operation", measurement.operation().label());
    columns.put("dtype", measurement.dtype().name().toLowerCase(Locale.ROOT));
    columns.put("transport", measurement.transport());
    columns.put("mode", measurement.mode().label());
    columns.put("ranks", (long) measurement.ranks());
    columns.put("bytes", measurement.bytes());
    columns.put("count", measurement.count());
    columns.put("samples", (long) timing.samples());
    columns.put("operations", timing.operations());
    columns.put("min_ns", rounded(timing.minNanos()));
    columns.put("median_ns", rounded(timing.medianNanos()));
    columns.put("p99_ns", rounded(timing.p99Nanos()));
    columns.put("algorithm_gb_per_s", rounded(measurement.algorithmBandwidth()));
    columns.put("bus_gb_per_s", rounded(measurement.busBandwidth()));
    columns.put("errors", measurement.isChecked() ? measurement.wrongElements() : UNKNOWN);
    columns.put("memcpy_median_ns", copied(measurement, measurement.copyMedianNanos()));
    columns.put("memcpy_ratio", copied(measurement, measurement.copies()));
    return columns;
  }

  private static Object copied(Measurement measurement, double value) {
    return measurement.hasCopy() ? rounded(value) : UNKNOWN;
  }

  private static double rounded(double value) {
    return Math.round(value * DIGITS) / DIGITS;
  }
}
