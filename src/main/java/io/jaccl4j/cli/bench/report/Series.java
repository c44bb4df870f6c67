package io.jaccl4j.cli.bench.report;

import java.util.List;

/**
 * One line of a chart.
 *
 * @param name in the legend
 * @param style of the line
 * @param points in ascending order of size
 */
record Series(String name, Style style, List<Point> points) {

  /** Colours that can be told apart with every kind of sight, and dashes for what is no result. */
  enum Style {
    FIRST("#0072b2", ""),
    SECOND("#d55e00", ""),
    THIRD("#009e73", ""),
    FOURTH("#cc79a7", ""),
    FIFTH("#e69f00", "8 3"),
    SIXTH("#56b4e9", "8 3"),
    REFERENCE("#777777", "6 4");

    /** For results, in this order. */
    static final List<Style> RESULTS = List.of(FIRST, SECOND, THIRD, FOURTH, FIFTH, SIXTH);

    private final String colour;
    private final String dashes;

    Style(String colour, String dashes) {
      this.colour = colour;
      this.dashes = dashes;
    }

    String colour() {
      return colour;
    }

    /** Empty for a solid line. */
    String dashes() {
      return dashes;
    }
  }

  /** A value at a size. */
  record Point(double bytes, double value) {}
}
