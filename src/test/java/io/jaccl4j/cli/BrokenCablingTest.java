package io.jaccl4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.jaccl4j.fabric.verbs.EmulatedVerbs;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/**
 * All that is said about four ranks of whom 1 and 2 have no cable, 0 does not know its cable to 3,
 * and 3 names a device that it has not.
 */
class BrokenCablingTest {
  private static final Path CABLING = Path.of("src/test/resources/cabling");
  private static final Path BROKEN = CABLING.resolve("broken.json");

  @TempDir Path directory;

  private static String expected(String name) throws IOException {
    return Files.readString(CABLING.resolve(name));
  }

  private static Map<String, String> environment() {
    return Map.of(
        "JACCL_RANK", "3",
        "MLX_RANK", "0",
        "MLX_IBV_DEVICES", BROKEN.toString(),
        "MLX_JACCL_COORDINATOR", "10.0.0.1:32323",
        "JACCL4J_TIMEOUT", "2.5",
        "JACCL4J_KEY", "a secret of some length",
        "JACCL4J_VERBS_LIBRARY", EmulatedVerbs.build().toString());
  }

  private static CheckReport check() {
    EmulatedVerbs.fresh();
    return CheckReport.of(environment(), "any");
  }

  @Test
  void shouldCheckItAsARankWould() throws IOException {
    CheckReport report = check();
    assertThat(report.canStart()).isFalse();
    assertThat(report.render()).isEqualTo(expected("check.txt"));
  }

  @Test
  void shouldTellProgramsWhatItTellsPeople() throws IOException {
    CheckReport report = check();
    JsonNode document = new ObjectMapper().readTree(Json.render(report));
    assertThat(document).isEqualTo(new ObjectMapper().readTree(expected("check.json")));
    assertThat(document.path("findings"))
        .extracting(JsonNode::asText)
        .containsExactlyElementsOf(report.findings());
  }

  @Test
  void shouldPrintItAsACommandThatFails() throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(JavaCommand.of(Main.class.getName(), List.of("check")));
    builder.environment().putAll(environment());
    Process process = builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
    try {
      CompletableFuture<List<String>> lines =
          CompletableFuture.supplyAsync(() -> process.inputReader().lines().toList());
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(lines.join()).isEqualTo(expected("check.txt").lines().toList());
      assertThat(process.exitValue()).isEqualTo(ExitCode.FAILED);
    } finally {
      process.destroyForcibly();
    }
  }

  @ParameterizedTest
  @CsvSource({"mesh, mesh.txt", "ring, ring.txt", "auto, mesh.txt"})
  void shouldPrintATable(String topology, String name) throws IOException {
    assertThat(topology(ExitCode.FAILED, "--topology", topology)).isEqualTo(expected(name));
  }

  @ParameterizedTest
  @CsvSource({"mesh, mesh.dot", "ring, ring.dot"})
  void shouldPrintDot(String topology, String name) throws IOException {
    assertThat(topology(ExitCode.FAILED, "--dot", "--topology", topology))
        .isEqualTo(expected(name));
  }

  @ParameterizedTest
  @CsvSource({"mesh, mesh.svg, 2", "ring, ring.svg, 3"})
  void shouldDrawAPicture(String topology, String name, int broken) throws Exception {
    Path picture = directory.resolve(name);
    topology(ExitCode.FAILED, "--topology", topology, "--svg", picture.toString());
    String svg = Files.readString(picture);
    assertThat(svg).isEqualTo(expected(name));

    Document document =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new InputSource(new StringReader(svg)));
    assertThat(document.getElementsByTagName("path").getLength()).as("crosses").isEqualTo(broken);
    NodeList lines = document.getElementsByTagName("line");
    int dashed = 0;
    for (int i = 0; i < lines.getLength(); i++) {
      dashed += ((Element) lines.item(i)).hasAttribute("stroke-dasharray") ? 1 : 0;
    }
    assertThat(dashed).as("broken links").isEqualTo(broken);
  }

  private static String topology(int exitCode, String... options) {
    StringWriter out = new StringWriter();
    String[] arguments = new String[options.length + 2];
    arguments[0] = "topology";
    arguments[1] = BROKEN.toString();
    System.arraycopy(options, 0, arguments, 2, options.length);
    assertThat(Main.commandLine().setOut(new PrintWriter(out)).execute(arguments))
        .isEqualTo(exitCode);
    return out.toString();
  }
}
