package io.jaccl4j.example;

import java.util.List;
import java.util.Locale;

/** The loss over the steps as an SVG, each epoch of the group in a colour of its own. */
final class LossChart {
  private static final int WIDTH = 760;
  private static final int HEIGHT = 360;
  private static final int MARGIN = 50;
  private static final List<String> COLOURS = List.of("#2b6cb0", "#c05621", "#2f855a", "#6b46c1");

  /** What rank 0 reported. */
  record Loss(int step, long epoch, float value) {}

  private LossChart() {}

  static String render(List<Loss> losses) {
    float highest = losses.stream().map(Loss::value).max(Float::compare).orElse(1f);
    int lastStep = losses.stream().mapToInt(Loss::step).max().orElse(1);
    StringBuilder svg = new StringBuilder();
    svg.append(
        String.format(
            Locale.ROOT,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\""
                + " font-family=\"sans-serif\" font-size=\"12\">%n"
                + "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>%n",
            WIDTH,
            HEIGHT));
    line(svg, MARGIN, HEIGHT - MARGIN, WIDTH - MARGIN, HEIGHT - MARGIN);
    line(svg, MARGIN, MARGIN, MARGIN, HEIGHT - MARGIN);
    text(svg, WIDTH / 2, HEIGHT - 12, "step, 0 to " + lastStep);
    text(svg, MARGIN + 60, 30, String.format(Locale.ROOT, "mean loss, 0 to %.3f", highest));
    List<Long> epochs = losses.stream().map(Loss::epoch).distinct().toList();
    for (int i = 0; i < epochs.size(); i++) {
      long epoch = epochs.get(i);
      String colour = COLOURS.get(i % COLOURS.size());
      svg.append("<polyline fill=\"none\" stroke-width=\"2\" stroke=\"")
          .append(colour)
          .append("\" points=\"");
      for (Loss loss : losses) {
        if (loss.epoch() == epoch) {
          svg.append(
              String.format(
                  Locale.ROOT,
                  "%.1f,%.1f ",
                  MARGIN + (WIDTH - 2.0 * MARGIN) * loss.step() / lastStep,
                  HEIGHT - MARGIN - (HEIGHT - 2.0 * MARGIN) * loss.value() / highest));
        }
      }
      svg.append("\"/>\n");
      svg.append("<g fill=\"").append(colour).append("\">");
      text(svg, WIDTH - 110, 30 + 18 * i, "epoch " + epoch);
      svg.append("</g>\n");
    }
    return svg.append("</svg>\n").toString();
  }

  private static void line(StringBuilder svg, int x1, int y1, int x2, int y2) {
    svg.append(
        "<line stroke=\"#444\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>%n"
            .formatted(x1, y1, x2, y2));
  }

  private static void text(StringBuilder svg, int x, int y, String content) {
    svg.append("<text x=\"%d\" y=\"%d\">%s</text>%n".formatted(x, y, content));
  }
}
