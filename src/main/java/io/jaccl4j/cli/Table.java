package io.jaccl4j.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/** Plain text with aligned columns, at most 100 characters wide: numbers to the right. */
final class Table {
  static final int MAX_WIDTH = 100;
  private static final int MIN_COLUMN_WIDTH = 8;
  private static final String GAP = "  ";
  private static final String INDENT = "  ";

  /** A number, with a unit or as a share: "17", "-0.5", "1.2e-16", "0.85 us", "4 of 4". */
  private static final Pattern NUMERIC =
      Pattern.compile("[-+]?[0-9.]+(e[-+]?[0-9]+)?( (ns|us|ms|s|of [0-9]+))?|-|");

  private final String title;
  private final List<String> header;
  private final List<List<String>> rows = new ArrayList<>();
  private String note = "";

  Table(String title, String... header) {
    this(title, List.of(header));
  }

  Table(String title, List<String> header) {
    this.title = title;
    this.header = List.copyOf(header);
  }

  Table row(Object... cells) {
    return row(Arrays.stream(cells).map(Object::toString).toList());
  }

  Table row(List<String> cells) {
    if (cells.size() != header.size()) {
      throw new IllegalArgumentException(
          title + ": row has " + cells.size() + " cells, want " + header.size());
    }
    rows.add(List.copyOf(cells));
    return this;
  }

  /** Text below the rows. */
  Table note(String text) {
    note = text;
    return this;
  }

  /** The title, the header, a rule, the rows and the note, each line ended by a line feed. */
  String render() {
    int[] widths = widths();
    StringBuilder text = new StringBuilder(title).append('\n');
    appendRow(text, header, widths);
    appendRow(text, Arrays.stream(widths).mapToObj("-"::repeat).toList(), widths);
    rows.forEach(row -> appendRow(text, row, widths));
    if (!note.isEmpty()) {
      wrap(note, MAX_WIDTH - INDENT.length())
          .forEach(line -> text.append(INDENT).append(line).append('\n'));
    }
    return text.toString();
  }

  private int[] widths() {
    int[] widths = new int[header.size()];
    for (int column = 0; column < widths.length; column++) {
      int index = column;
      widths[column] =
          Math.max(
              header.get(column).length(),
              rows.stream().mapToInt(row -> row.get(index).length()).max().orElse(0));
    }
    int excess =
        INDENT.length()
            + Arrays.stream(widths).sum()
            + GAP.length() * (widths.length - 1)
            - MAX_WIDTH;
    while (excess > 0) {
      int widest = indexOfWidest(widths);
      int narrower = Math.max(MIN_COLUMN_WIDTH, widths[widest] - excess);
      if (narrower >= widths[widest]) {
        return widths;
      }
      excess -= widths[widest] - narrower;
      widths[widest] = narrower;
    }
    return widths;
  }

  private static int indexOfWidest(int[] widths) {
    int widest = 0;
    for (int column = 1; column < widths.length; column++) {
      widest = widths[column] > widths[widest] ? column : widest;
    }
    return widest;
  }

  private void appendRow(StringBuilder text, List<String> cells, int[] widths) {
    List<List<String>> wrapped = new ArrayList<>();
    for (int column = 0; column < widths.length; column++) {
      wrapped.add(wrap(cells.get(column), widths[column]));
    }
    int height = wrapped.stream().mapToInt(List::size).max().orElse(1);
    for (int line = 0; line < height; line++) {
      StringBuilder rendered = new StringBuilder(INDENT);
      for (int column = 0; column < widths.length; column++) {
        String cell = line < wrapped.get(column).size() ? wrapped.get(column).get(line) : "";
        String padding = " ".repeat(widths[column] - cell.length());
        rendered.append(column == 0 ? "" : GAP);
        rendered.append(isRightAligned(column) ? padding + cell : cell + padding);
      }
      text.append(rendered.toString().stripTrailing()).append('\n');
    }
  }

  private boolean isRightAligned(int column) {
    return rows.stream().allMatch(row -> NUMERIC.matcher(row.get(column)).matches());
  }

  /** Breaks at the last blank that fits, or within a word that is too long. */
  private static List<String> wrap(String cell, int width) {
    List<String> lines = new ArrayList<>();
    String rest = cell;
    while (rest.length() > width) {
      int end = rest.lastIndexOf(' ', width);
      if (end <= 0) {
        end = width;
      }
      lines.add(rest.substring(0, end).stripTrailing());
      rest = rest.substring(end).stripLeading();
    }
    lines.add(rest);
    return lines;
  }
}
