package io.jaccl4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.jaccl4j.readme.Readme;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Every command line of the README is one that the program understands. */
class ReadmeCommandsTest {
  private static final Pattern WITH_ARGUMENTS =
      Pattern.compile("(?:PORT=\\d+ )?mvn -q compile exec:exec -Dargs=\"(.*)\"");

  /** The build's own two: CI runs them as they stand. */
  private static final List<String> BUILD = List.of("mvn -q compile exec:exec", "mvn verify");

  @Test
  void shouldUnderstandEveryCommandOfTheReadme() throws IOException {
    List<String> commands = Readme.commands();
    assertThat(commands).containsAll(BUILD);
    for (String command : commands) {
      if (BUILD.contains(command)) {
        continue;
      }
      Matcher matcher = WITH_ARGUMENTS.matcher(command);
      assertThat(matcher.matches()).as(command).isTrue();
      Main.commandLine().parseArgs(matcher.group(1).split(" "));
    }
  }

  @Test
  void shouldRunBothCommandsInCi() throws IOException {
    String ci = Files.readString(Path.of(".ci/run"));
    assertThat(ci).contains("mvn -B -ntp verify").contains("mvn -B -ntp -q compile exec:exec");
  }
}
