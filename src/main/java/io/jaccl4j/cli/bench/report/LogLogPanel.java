package io.jaccl4j.cli.bench.report;

import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/** One chart over message size, both axes logarithmic, with a legend above it. */
final class LogLogPanel {
  private static final String INK = "#222222";
  private static final String SOFT_INK = "#555555";
  private static final String GRID = "#d9d9d9";
  private static final String FINE_GRID = "#f0f0f0";
  private static final int LABEL_SIZE = 12;
  private static final int TITLE_SIZE = 14;
  private static final double LEGEND_LINE = 28;
  private static final double LETTER_WIDTH = 6.8;

  private final String title;
  private final String unit;
  private final List<Series> series;

  LogLogPanel(String title, String unit, List<Series> series) {
    this.title = title;
    this.unit = unit;
    this.series = series;
  }

  /** Draws it with the plot area at the given place. */
  void draw(SvgText svg, double left, double top, double width, double height) {
    LogAxis x = sizeAxis(left, left + width);
    double[] values =
        points().mapToDouble(Series.Point::value).filter(value -> value > 0).toArray();
    LogAxis y =
        LogAxis.ofDecades(
            DoubleStream.of(values).min().orElse(1),
            DoubleStream.of(values).max().orElse(1),
            top + height,
            top);
    svg.label(left, top - 34, TITLE_SIZE, "start", INK, title);
    drawLegend(svg, left, top - 12);
    for (double tick : y.betweenDecades()) {
      svg.line(left, y.position(tick), left + width, y.position(tick), FINE_GRID);
    }
    for (double tick : y.decades()) {
      svg.line(left, y.position(tick), left + width, y.position(tick), GRID);
      svg.label(left - 8, y.position(tick) + 4, LABEL_SIZE, "end", SOFT_INK, number(tick));
    }
    for (double tick : x.powersOfTwo()) {
      svg.line(x.position(tick), top, x.position(tick), top + height, GRID);
      svg.label(x.position(tick), top + height + 18, LABEL_SIZE, "middle", SOFT_INK, size(tick));
    }
    svg.frame(left, top, width, height, SOFT_INK);
    svg.label(
        left + width / 2, top + height + 40, LABEL_SIZE, "middle", INK, "message size, bytes");
    svg.upwards(left - 52, top + height / 2, LABEL_SIZE, INK, unit);
    series.forEach(one -> drawSeries(svg, one, x, y));
  }

  private void drawLegend(SvgText svg, double left, double baseline) {
    double at = left;
    for (Series one : series) {
      svg.polyline(
          String.format(
              Locale.ROOT, "%.1f,%.1f %.1f,%.1f", at, baseline - 4, at + LEGEND_LINE, baseline - 4),
          one.style());
      svg.label(at + LEGEND_LINE + 6, baseline, LABEL_SIZE, "start", INK, one.name());
      at += LEGEND_LINE + 28 + LETTER_WIDTH * one.name().length();
    }
  }

  private static void drawSeries(SvgText svg, Series one, LogAxis x, LogAxis y) {
    List<Series.Point> shown = one.points().stream().filter(point -> point.value() > 0).toList();
    svg.polyline(
        shown.stream()
            .map(
                point ->
                    String.format(
                        Locale.ROOT,
                        "%.1f,%.1f",
                        x.position(point.bytes()),
                        y.position(point.value())))
            .collect(Collectors.joining(" ")),
        one.style());
    if (one.style() != Series.Style.REFERENCE) {
      shown.forEach(
          point ->
              svg.dot(x.position(point.bytes()), y.position(point.value()), one.style().colour()));
    }
  }

  private LogAxis sizeAxis(double start, double end) {
    double min = points().mapToDouble(Series.Point::bytes).min().orElse(1);
    double max = points().mapToDouble(Series.Point::bytes).max().orElse(1);
    return max > min
        ? new LogAxis(min, max, start, end)
        // One size alone stands in the middle.
        : new LogAxis(min / 2, min * 2, start, end);
  }

  private Stream<Series.Point> points() {
    return series.stream().flatMap(one -> one.points().stream());
  }

  private static String number(double value) {
    return value >= 1
        ? String.format(Locale.ROOT, "%,.0f", value)
        : BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
  }

  private static String size(double bytes) {
    String[] units = {"", " Ki", " Mi", " Gi"};
    int unit = 0;
    double value = bytes;
    while (value >= 1024 && unit < units.length - 1) {
      value /= 1024;
      unit++;
    }
    return String.format(Locale.ROOT, "%.0f%s", value, units[unit]);
  }
}
