package io.jaccl4j.javadoc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The documentation of what applications use: generated without a warning, every public thing
 * described with its parameters and results, and with a worked example for each main type. (What is
 * for the library alone, the compiler checks, save for missing descriptions.)
 */
@Timeout(180)
class JavadocTest {

  /** Below these source folders. */
  private static final Map<String, List<String>> PACKAGES =
      Map.of(
          "src/main/java",
          List.of(
              "io.jaccl4j",
              "io.jaccl4j.cluster",
              "io.jaccl4j.config",
              "io.jaccl4j.management",
              "io.jaccl4j.sidechannel"),
          "src/test/java",
          List.of("io.jaccl4j.testkit"));

  private static final List<String> WITH_EXAMPLE =
      List.of(
          "io/jaccl4j/Group",
          "io/jaccl4j/Jaccl",
          "io/jaccl4j/GroupSettings",
          "io/jaccl4j/LocalCluster",
          "io/jaccl4j/AllGather",
          "io/jaccl4j/cluster/JacclExtension",
          "io/jaccl4j/cluster/Collectives",
          "io/jaccl4j/management/GroupBootstrap",
          "io/jaccl4j/testkit/JacclTest",
          "io/jaccl4j/testkit/TestGroup");

  @TempDir private static Path generated;
  private static int exitCode;
  private static String output;

  @BeforeAll
  static void generate() throws IOException {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "-quiet",
                "-Xdoclint:all",
                "-Werror",
                "-Xmaxwarns",
                "1000",
                "-encoding",
                "UTF-8",
                "--snippet-path",
                "src/test/java",
                "-classpath",
                System.getProperty("java.class.path"),
                "-d",
                generated.toString()));
    PACKAGES.forEach(
        (folder, packages) -> packages.forEach(name -> arguments.addAll(sources(folder, name))));
    StringWriter text = new StringWriter();
    PrintWriter writer = new PrintWriter(text);
    exitCode =
        ToolProvider.findFirst("javadoc")
            .orElseThrow()
            .run(writer, writer, arguments.toArray(String[]::new));
    output = text.toString();
  }

  private static List<String> sources(String folder, String packageName) {
    try (Stream<Path> files = Files.list(Path.of(folder, packageName.replace('.', '/')))) {
      return files
          .map(Path::toString)
          .filter(file -> file.endsWith(".java") && !file.endsWith("TestTest.java"))
          .toList();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void shouldBeWithoutAWarning() {
    assertThat(exitCode).as(output).isZero();
    assertThat(output).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("typesWithExample")
  void shouldShowAWorkedExample(String type) throws IOException {
    String page = Files.readString(generated.resolve(type + ".html"));
    assertThat(page).contains("snippet-container");
  }

  static Stream<String> typesWithExample() {
    return WITH_EXAMPLE.stream();
  }
}
