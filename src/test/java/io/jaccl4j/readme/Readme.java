package io.jaccl4j.readme;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The fenced blocks of the README. */
public final class Readme {
  private static final Path FILE = Path.of("README.md");

  private Readme() {}

  /** The block after {@code <!-- snippet: name -->}. */
  static String snippet(String name) throws IOException {
    Matcher matcher =
        Pattern.compile("<!-- snippet: " + name + " -->\\n```[a-z]+\\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(FILE));
    if (!matcher.find()) {
      throw new AssertionError("no snippet " + name + " in " + FILE.toAbsolutePath());
    }
    return matcher.group(1);
  }

  /** All lines of the shell blocks. */
  public static List<String> commands() throws IOException {
    return Pattern.compile("```sh\\n(.*?)```", Pattern.DOTALL)
        .matcher(Files.readString(FILE))
        .results()
        .flatMap(result -> result.group(1).lines())
        .toList();
  }
}
