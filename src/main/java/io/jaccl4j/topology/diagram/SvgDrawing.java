package io.jaccl4j.topology.diagram;

import java.util.List;
import java.util.Locale;

/** A diagram as an SVG document: ranks on a circle, broken links red, dashed and crossed out. */
public final class SvgDrawing {
  private static final int WIDTH = 760;
  private static final int CENTRE_X = WIDTH / 2;
  private static final int CENTRE_Y = 300;
  private static final int RADIUS = 210;
  private static final int BOX_WIDTH = 150;
  private static final int BOX_HEIGHT = 34;
  private static final int FAULTS_Y = 580;
  private static final int LINE_HEIGHT = 18;
  private static final String SOUND = "#2b6cb0";
  private static final String BROKEN = "#c53030";

  private final TopologyDiagram diagram;
  private final StringBuilder text = new StringBuilder();

  private SvgDrawing(TopologyDiagram diagram) {
    this.diagram = diagram;
  }

  /** The document. */
  public static String render(TopologyDiagram diagram) {
    return new SvgDrawing(diagram).draw();
  }

  private String draw() {
    long faults =
        diagram.faults().size() + diagram.links().stream().filter(DrawnLink::isBroken).count();
    int height = FAULTS_Y + (int) faults * LINE_HEIGHT + LINE_HEIGHT;
    append(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\""
            + " viewBox=\"0 0 %d %d\" font-family=\"Helvetica, Arial, DejaVu Sans, sans-serif\">",
        WIDTH, height, WIDTH, height);
    append("<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>", WIDTH, height);
    label(CENTRE_X, 30, 16, "#1a202c", diagram.title());
    diagram.links().forEach(this::link);
    for (int rank = 0; rank < diagram.labels().size(); rank++) {
      box(rank);
    }
    faults();
    return text.append("</svg>\n").toString();
  }

  private void link(DrawnLink link) {
    double x1 = x(link.first());
    double y1 = y(link.first());
    double x2 = x(link.second());
    double y2 = y(link.second());
    String colour = link.isBroken() ? BROKEN : SOUND;
    append(
        "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\""
            + " stroke-width=\"2\"%s/>",
        x1, y1, x2, y2, colour, link.isBroken() ? " stroke-dasharray=\"6 4\"" : "");
    if (link.isBroken()) {
      double x = (x1 + x2) / 2;
      double y = (y1 + y2) / 2;
      append(
          "<path d=\"M%.1f %.1fL%.1f %.1fM%.1f %.1fL%.1f %.1f\" stroke=\"%s\""
              + " stroke-width=\"3\"/>",
          x - 7, y - 7, x + 7, y + 7, x - 7, y + 7, x + 7, y - 7, BROKEN);
    }
    label(x1 + (x2 - x1) * 0.3, y1 + (y2 - y1) * 0.3, 11, colour, link.firstDevices());
    label(x1 + (x2 - x1) * 0.7, y1 + (y2 - y1) * 0.7, 11, colour, link.secondDevices());
  }

  private void box(int rank) {
    append(
        "<rect x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"%d\" rx=\"5\" fill=\"#edf2f7\""
            + " stroke=\"#4a5568\"/>",
        x(rank) - BOX_WIDTH / 2.0, y(rank) - BOX_HEIGHT / 2.0, BOX_WIDTH, BOX_HEIGHT);
    label(x(rank), y(rank) + 5, 13, "#1a202c", diagram.labels().get(rank));
  }

  private void faults() {
    int y = FAULTS_Y;
    for (String fault : diagram.faults()) {
      label(CENTRE_X, y, 12, BROKEN, fault);
      y += LINE_HEIGHT;
    }
    for (DrawnLink link : diagram.links()) {
      if (link.isBroken()) {
        label(CENTRE_X, y, 12, BROKEN, link.fault().orElseThrow());
        y += LINE_HEIGHT;
      }
    }
  }

  /** Rank 0 is at the top, the others follow clockwise. */
  private double x(int rank) {
    return CENTRE_X + RADIUS * Math.sin(angle(rank)) * 1.3;
  }

  private double y(int rank) {
    return CENTRE_Y - RADIUS * Math.cos(angle(rank));
  }

  private double angle(int rank) {
    return 2 * Math.PI * rank / diagram.labels().size();
  }

  private void label(double x, double y, int size, String colour, List<String> devices) {
    label(x, y, size, colour, DrawnLink.names(devices));
  }

  private void label(double x, double y, int size, String colour, String content) {
    append(
        "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%d\" text-anchor=\"middle\" fill=\"%s\">%s</text>",
        x, y, size, colour, escaped(content));
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
