package io.jaccl4j.cli.bench.report;

import java.util.Locale;

/** Elements of an SVG document, one per line. */
final class SvgText {
  private final StringBuilder text = new StringBuilder();

  SvgText(int width, int height) {
    append(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\""
            + " viewBox=\"0 0 %d %d\" font-family=\"Helvetica, Arial, DejaVu Sans, sans-serif\">",
        width, height, width, height);
    append("<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>", width, height);
  }

  void line(double x1, double y1, double x2, double y2, String colour) {
    append(
        "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>",
        x1, y1, x2, y2, colour);
  }

  void frame(double x, double y, double width, double height, String colour) {
    append(
        "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"none\" stroke=\"%s\"/>",
        x, y, width, height, colour);
  }

  void polyline(String points, Series.Style style) {
    append(
        "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\""
            + " stroke-linejoin=\"round\"%s/>",
        points,
        style.colour(),
        style.dashes().isEmpty() ? "" : " stroke-dasharray=\"" + style.dashes() + "\"");
  }

  void dot(double x, double y, String colour) {
    append("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>", x, y, colour);
  }

  /**
   * Text.
   *
   * @param anchor start, middle or end
   */
  void label(double x, double y, int size, String anchor, String colour, String content) {
    append(
        "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%d\" text-anchor=\"%s\" fill=\"%s\">%s</text>",
        x, y, size, anchor, colour, escaped(content));
  }

  /** Text that runs upwards, centred. */
  void upwards(double x, double y, int size, String colour, String content) {
    append(
        "<text transform=\"translate(%.1f %.1f) rotate(-90)\" font-size=\"%d\""
            + " text-anchor=\"middle\" fill=\"%s\">%s</text>",
        x, y, size, colour, escaped(content));
  }

  /** The document. */
  String end() {
    return text + "</svg>\n";
  }

  private void append(String pattern, Object... values) {
    text.append(String.format(Locale.ROOT, pattern, values)).append('\n');
  }

  private static String escaped(String content) {
    return content
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
