package io.jaccl4j.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A program of the tests in a JVM of its own, on the tests' class path. */
public final class ChildJvm {
  private static final long PATIENCE_SECONDS = 120;

  private ChildJvm() {}

  /** What a program prints that ends well, with these flags of the JVM. */
  public static String output(Class<?> program, String... flags)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(flags));
    command.add("-classpath");
    command.add(System.getProperty("java.class.path"));
    command.add(program.getName());
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      // Read beside the wait: a program that hangs must not hang the test.
      CompletableFuture<String> output = CompletableFuture.supplyAsync(() -> read(process));
      assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS))
          .as("%s ended within %d s", program.getSimpleName(), PATIENCE_SECONDS)
          .isTrue();
      assertThat(process.exitValue()).as(output.join()).isZero();
      return output.join();
    } finally {
      process.destroyForcibly();
    }
  }

  private static String read(Process process) {
    try {
      return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      return "unreadable: " + e;
    }
  }
}
