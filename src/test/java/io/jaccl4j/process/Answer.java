package io.jaccl4j.process;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a rank answers to one command, as one line.
 *
 * <pre>{@code
 * number TAB ok|failed { TAB key=value }
 * }</pre>
 *
 * @param number number of the command
 * @param ok whether the command did what it says
 * @param fields what there is to know
 */
record Answer(long number, boolean ok, Map<String, String> fields) {

  Answer {
    fields = Map.copyOf(fields);
  }

  static Answer ok(long number, Map<String, ?> fields) {
    return new Answer(number, true, texts(fields));
  }

  static Answer failed(long number, Map<String, ?> fields) {
    return new Answer(number, false, texts(fields));
  }

  private static Map<String, String> texts(Map<String, ?> fields) {
    Map<String, String> texts = new LinkedHashMap<>();
    fields.forEach((key, value) -> texts.put(key, String.valueOf(value).replaceAll("\\s+", " ")));
    return texts;
  }

  static Answer decode(String line) {
    String[] parts = line.split("\t", -1);
    Map<String, String> fields = new LinkedHashMap<>();
    Arrays.stream(parts)
        .skip(2)
        .forEach(
            field -> {
              int equals = field.indexOf('=');
              fields.put(field.substring(0, equals), field.substring(equals + 1));
            });
    return new Answer(Long.parseLong(parts[0]), parts[1].equals("ok"), fields);
  }

  String encode() {
    StringBuilder line = new StringBuilder().append(number).append('\t');
    line.append(ok ? "ok" : "failed");
    fields.forEach((key, value) -> line.append('\t').append(key).append('=').append(value));
    return line.toString();
  }

  String text(String key) {
    String value = fields.get(key);
    if (value == null) {
      throw new AssertionError("no [" + key + "] in " + this);
    }
    return value;
  }

  long number(String key) {
    return Long.parseLong(text(key));
  }
}
