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
      Pattern.compile("(?:[A-Z_]+=\\d+ )?mvn -q compile exec:exec -Dargs=\"(.*)\"");

  /** Benchmarks and the example are programs of the tests. */
  private static final Pattern TEST_PROGRAM =
      Pattern.compile(
          "mvn -q test-compile exec:exec (?:-Pjmh|-Dexec\\.scope=test)(?: -Dexec\\.main\\.class=\\S+)?");

  /** Of a project of the reader's own; StandaloneProjectIT runs them. */
  private static final Pattern STANDALONE =
      Pattern.compile("mvn -q compile|mvn -q exec:exec -Dports=\"\\d+ \\d+\"");

  /** The build's own two: CI runs them as they stand. */
  private static final List<String> BUILD = List.of("mvn -q compile exec:exec", "mvn verify");

  /** Started by people alone, for minutes. */
  @Test
  void shouldUnderstandEveryCommandOfTheReadme() throws IOException {
    List<String> commands = Readme.commands();
    assertThat(commands).containsAll(BUILD);
    for (String command : commands) {
      if (BUILD.contains(command)
          || TEST_PROGRAM.matcher(command).matches()
          || STANDALONE.matcher(command).matches()) {
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
