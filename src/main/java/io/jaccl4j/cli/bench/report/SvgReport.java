package io.jaccl4j.cli.bench.report;

import io.jaccl4j.cli.bench.Measurement;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** A page with two charts over message size: bus bandwidth and time. */
public final class SvgReport {
  private static final int WIDTH = 1200;
  private static final int HEIGHT = 560;
  private static final double TOP = 140;
  private static final double PANEL_HEIGHT = 340;
  private static final double PANEL_WIDTH = 490;
  private static final double FIRST_LEFT = 80;
  private static final double SECOND_LEFT = 680;
  private static final double NANOS_PER_MICRO = 1e3;

  private SvgReport() {}

  /**
   * An SVG document.
   *
   * @param subtitle what the measurements depend on
   * @param measurements of one operation, at least one, each of a size
   */
  public static String render(String subtitle, List<Measurement> measurements) {
    Measurement first = measurements.getFirst();
    SvgText svg = new SvgText(WIDTH, HEIGHT);
    svg.label(
        FIRST_LEFT,
        40,
        20,
        "start",
        "#111111",
        String.format(
            "%s %s between %d ranks",
            first.operation().label(),
            first.dtype().name().toLowerCase(Locale.ROOT),
            first.ranks()));
    svg.label(FIRST_LEFT, 62, 13, "start", "#555555", subtitle);
    bandwidth(measurements).draw(svg, FIRST_LEFT, TOP, PANEL_WIDTH, PANEL_HEIGHT);
    time(measurements).draw(svg, SECOND_LEFT, TOP, PANEL_WIDTH, PANEL_HEIGHT);
    return svg.end();
  }

  private static LogLogPanel bandwidth(List<Measurement> measurements) {
    return new LogLogPanel(
        "Bus bandwidth (higher is better)",
        "GB/s",
        series(
            measurements,
            Measurement::busBandwidth,
            measurement -> measurement.bytes() / measurement.copyMedianNanos()));
  }

  private static LogLogPanel time(List<Measurement> measurements) {
    return new LogLogPanel(
        "Median time of one operation (lower is better)",
        "microseconds",
        series(
            measurements,
            measurement -> measurement.timing().medianNanos() / NANOS_PER_MICRO,
            measurement -> measurement.copyMedianNanos() / NANOS_PER_MICRO));
  }

  /** The copies first, so that the results are drawn above them; the rest in order of arrival. */
  private static List<Series> series(
      List<Measurement> measurements,
      ToDoubleFunction<Measurement> result,
      ToDoubleFunction<Measurement> copy) {
    Map<String, List<Measurement>> byName = new LinkedHashMap<>();
    boolean compares = measurements.stream().map(Measurement::transport).distinct().count() > 1;
    for (Measurement measurement : measurements) {
      String name = compares ? measurement.transport() : measurement.mode().label();
      byName.computeIfAbsent(name, ignored -> new ArrayList<>()).add(measurement);
    }
    List<Series> all = new ArrayList<>();
    List<Measurement> first = byName.values().iterator().next();
    if (first.getFirst().hasCopy()) {
      all.add(new Series("memcpy in one process", Series.Style.REFERENCE, points(first, copy)));
    }
    Iterator<Series.Style> styles = Series.Style.RESULTS.iterator();
    byName.forEach((name, own) -> all.add(new Series(name, styles.next(), points(own, result))));
    return all;
  }

  private static List<Series.Point> points(
      List<Measurement> measurements, ToDoubleFunction<Measurement> value) {
    return measurements.stream()
        .map(measurement -> new Series.Point(measurement.bytes(), value.applyAsDouble(measurement)))
        .toList();
  }
}
