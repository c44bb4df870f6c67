package io.jaccl4j.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.jaccl4j.lifecycle.ProcessEndMain.Ending;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every way in which a program can end, with its groups open or not. */
@Timeout(120)
class ProcessEndTest {
  private static final long END_SECONDS = 10;
  private static final int SIGTERM_EXIT_CODE = 143;

  @TempDir private Path shmDirectory;
  @TempDir private Path temporary;

  @ParameterizedTest
  @EnumSource
  void shouldEndSoonAndLeaveNoFile(Ending ending) throws IOException, InterruptedException {
    Process process = start(ending);
    try (BufferedReader output = process.inputReader()) {
      assertThat(output.lines().takeWhile(line -> !line.equals(ProcessEndMain.WORKING)))
          .as("nothing but log lines before it works")
          .allMatch(line -> line.matches("\\d\\d:.*"));
      long workingNanos = System.nanoTime();
      if (ending == Ending.SIGNAL) {
        assertThat(output.lines().anyMatch("waiting"::equals)).isTrue();
        process.destroy();
      }
      assertThat(process.waitFor(END_SECONDS, TimeUnit.SECONDS))
          .as("ended %d s after it was to: %s", END_SECONDS, ending)
          .isTrue();
      assertThat(process.exitValue()).isEqualTo(exitCode(ending));
      assertThat(System.nanoTime() - workingNanos)
          .isLessThan(TimeUnit.SECONDS.toNanos(END_SECONDS));
    } finally {
      process.destroyForcibly();
    }
    assertThat(list(shmDirectory)).as("files of groups").isEmpty();
    assertThat(list(temporary)).as("temporary files").isEmpty();
  }

  private static int exitCode(Ending ending) {
    return switch (ending) {
      case RETURN, RETURN_WITHOUT_CLOSING -> 0;
      case EXIT, EXIT_IN_ACTOR, HALT -> ProcessEndMain.EXIT_CODE;
      case SIGNAL -> SIGTERM_EXIT_CODE;
    };
  }

  private Process start(Ending ending) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Xmx256m",
            "-XX:-UsePerfData",
            "-Djava.io.tmpdir=" + temporary,
            "--add-modules=jdk.incubator.vector",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            // As an application has it, so that ends without a call of ours are covered.
            "-Dpekko.coordinated-shutdown.run-by-jvm-shutdown-hook=on",
            "-classpath",
            System.getProperty("java.class.path"),
            ProcessEndMain.class.getName(),
            ending.name(),
            shmDirectory.toString())
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  private static List<Path> list(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.toList();
    }
  }
}
