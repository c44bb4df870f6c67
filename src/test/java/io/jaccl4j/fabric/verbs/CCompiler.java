package io.jaccl4j.fabric.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The system's C compiler. Tests that need it are skipped where there is none. */
final class CCompiler {
  private static final long PATIENCE_SECONDS = 60;

  private final Path directory;

  /** A compiler that leaves its output in a directory. */
  CCompiler(Path directory) {
    assumeTrue(isInstalled(), "there is no C compiler (cc) on the PATH");
    this.directory = directory;
  }

  private static boolean isInstalled() {
    return Stream.of(System.getenv("PATH").split(":"))
        .anyMatch(place -> Files.isExecutable(Path.of(place, "cc")));
  }

  /** Compiles a program, runs it, and returns its output. */
  List<String> run(Path source, List<String> options) throws IOException, InterruptedException {
    Path program = compile(source, "program", options);
    return output(List.of(program.toString()));
  }

  /** Compiles a shared library. */
  Path library(Path source, List<String> options) throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(List.of("-shared", "-fPIC", "-pthread"));
    all.addAll(options);
    return compile(source, "library.so", all);
  }

  private Path compile(Path source, String name, List<String> options)
      throws IOException, InterruptedException {
    Path result = directory.resolve(name);
    List<String> command =
        new ArrayList<>(List.of("cc", "-O2", "-Wall", "-Wextra", "-Werror", "-o"));
    command.add(result.toString());
    command.add(source.toString());
    command.addAll(options);
    output(command);
    return result;
  }

  private static List<String> output(List<String> command)
      throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    List<String> lines = process.inputReader().lines().toList();
    assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).as("%s ends", command).isTrue();
    assertThat(process.exitValue()).as("%s: %s", command, lines).isZero();
    return lines;
  }
}
