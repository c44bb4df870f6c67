package io.jaccl4j.cli.launch;

import java.util.Collection;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Words for a POSIX shell. */
final class ShellText {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./:=@%+,-]+");

  private ShellText() {}

  /** A word that any shell takes as it is. */
  static String quoted(String word) {
    return "'" + word.replace("'", "'\\''") + "'";
  }

  /** A line of words for people, quoted where that is needed. */
  static String line(Collection<String> words) {
    return words.stream()
        .map(word -> PLAIN.matcher(word).matches() ? word : quoted(word))
        .collect(Collectors.joining(" "));
  }
}
