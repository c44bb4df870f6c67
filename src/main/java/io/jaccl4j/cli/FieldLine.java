package io.jaccl4j.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * Fields of one text line, separated by tabs. Within a field, tab, line feed, carriage return and
 * backslash are written {@code \t \n \r \\}.
 */
final class FieldLine {

  private FieldLine() {}

  /** Appends fields. */
  static final class Writer {
    private final StringBuilder line = new StringBuilder();

    Writer(String first) {
      line.append(first);
    }

    Writer add(String field) {
      line.append('\t');
      for (int i = 0; i < field.length(); i++) {
        switch (field.charAt(i)) {
          case '\t' -> line.append("\\t");
          case '\n' -> line.append("\\n");
          case '\r' -> line.append("\\r");
          case '\\' -> line.append("\\\\");
          default -> line.append(field.charAt(i));
        }
      }
      return this;
    }

    Writer add(long field) {
      return add(Long.toString(field));
    }

    <T> Writer addAll(List<T> items, BiConsumer<Writer, T> writeItem) {
      add(items.size());
      items.forEach(item -> writeItem.accept(this, item));
      return this;
    }

    Writer addStrings(List<String> items) {
      return addAll(items, Writer::add);
    }

    @Override
    public String toString() {
      return line.toString();
    }
  }

  /** Takes fields in order; a field that is not there or not a number is refused. */
  static final class Reader {
    private final String line;
    private final String[] fields;
    private int next;

    Reader(String line) {
      this.line = line;
      this.fields = line.split("\t", -1);
    }

    String string() {
      if (next == fields.length) {
        throw refuse("ends after " + fields.length + " fields");
      }
      return unescape(fields[next++]);
    }

    long number() {
      String field = string();
      try {
        return Long.parseLong(field);
      } catch (NumberFormatException e) {
        throw refuse("has \"" + field + "\" where a number belongs");
      }
    }

    int smallNumber() {
      return Math.toIntExact(number());
    }

    <T> List<T> list(Function<Reader, T> readItem) {
      long count = number();
      if (count < 0 || count > fields.length) {
        throw refuse("announces " + count + " items");
      }
      List<T> items = new ArrayList<>();
      for (long i = 0; i < count; i++) {
        items.add(readItem.apply(this));
      }
      return items;
    }

    List<String> strings() {
      return list(Reader::string);
    }

    void end() {
      if (next != fields.length) {
        throw refuse("has " + (fields.length - next) + " fields too many");
      }
    }

    IllegalArgumentException refuse(String why) {
      return new IllegalArgumentException("line " + why + ": " + line);
    }

    private String unescape(String field) {
      StringBuilder text = new StringBuilder(field.length());
      for (int i = 0; i < field.length(); i++) {
        char c = field.charAt(i);
        if (c != '\\') {
          text.append(c);
          continue;
        }
        if (++i == field.length()) {
          throw refuse("ends a field with a backslash");
        }
        text.append(
            switch (field.charAt(i)) {
              case 't' -> '\t';
              case 'n' -> '\n';
              case 'r' -> '\r';
              case '\\' -> '\\';
              default -> throw refuse("has the unknown escape \\" + field.charAt(i));
            });
      }
      return text.toString();
    }
  }
}
