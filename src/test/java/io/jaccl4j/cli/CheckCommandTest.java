package io.jaccl4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.jaccl4j.fabric.verbs.EmulatedVerbs;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What people are told before anything is started. */
class CheckCommandTest {
  /** Ranks 1 and 2 are not linked, and rank 3 has a device that is not there. */
  private static final String BROKEN =
      """
      [[null,   "emu0", "emu1", "emu0"],
       ["emu0", null,   null,   "emu1"],
       ["emu1", null,   null,   "emu0"],
       ["emu0", "emu1", "rdma_en99", null]]
      """;

  @TempDir Path directory;

  private Path write(String matrix) throws IOException {
    return Files.writeString(directory.resolve("devices.json"), matrix);
  }

  private CheckReport check(int rank, String matrix) throws IOException {
    Map<String, String> environment = new HashMap<>();
    environment.put("MLX_RANK", Integer.toString(rank));
    environment.put("MLX_IBV_DEVICES", write(matrix).toString());
    environment.put("MLX_JACCL_COORDINATOR", "10.0.0.1:32323");
    environment.put("JACCL4J_KEY", "a secret of some length");
    environment.put("JACCL4J_VERBS_LIBRARY", EmulatedVerbs.fresh().library().toString());
    return CheckReport.of(environment, "any");
  }

  @Test
  void shouldFindNothingWrongWithSoundCabling() throws IOException {
    CheckReport report = check(1, "[[null, \"emu0\"], [\"emu1\", null]]");
    assertThat(report.findings()).isEmpty();
    assertThat(report.canStart()).isTrue();
    assertThat(report.facts())
        .contains("rank 1 of 2", "finds rank 0 at 10.0.0.1:32323")
        .anySatisfy(fact -> assertThat(fact).startsWith("device emu1 is up"));
    assertThat(report.render())
        .contains("MLX_RANK", "A rank could start.")
        .doesNotContain("a secret of some length");
  }

  @Test
  void shouldTellEverythingThatIsWrong() throws IOException {
    CheckReport report = check(3, BROKEN);
    assertThat(report.canStart()).isFalse();
    assertThat(String.join("\n", report.findings()))
        .contains("no mesh", "no ring", "there is no device rdma_en99, only [emu0, emu1]");
    assertThat(report.render()).contains("A rank could not start.");
  }

  @Test
  void shouldTellProgramsTheSame() throws Exception {
    var document = new ObjectMapper().readTree(Json.render(check(3, BROKEN)));
    assertThat(document.path("backend").asText()).isEqualTo("jaccl");
    assertThat(document.path("findings").size()).isGreaterThan(2);
    assertThat(document.path("values").path(0).path("source").asText()).isEqualTo("MLX_RANK");
  }

  @Test
  void shouldTellRankZeroThatTheCoordinatorIsNotItsAddress() throws IOException {
    assertThat(check(0, "[[null, \"emu0\"], [\"emu1\", null]]").findings())
        .singleElement()
        .asString()
        .startsWith("listens at 10.0.0.1:32323, which is no address of this machine; give");
  }

  @Test
  void shouldLookForTheAddressesOfATcpRing() throws IOException {
    Path hosts =
        Files.writeString(
            directory.resolve("hosts.json"), "[[\"127.0.0.1:5000\"], [\"192.0.2.1:5000\"]]");
    Map<String, String> environment =
        new HashMap<>(Map.of("MLX_HOSTFILE", hosts.toString(), "MLX_RANK", "0"));
    CheckReport right = CheckReport.of(environment, "any");
    assertThat(right.backend()).isEqualTo("ring");
    assertThat(right.findings()).isEmpty();
    assertThat(right.facts())
        .containsExactly(
            "rank 0 of 2 in a TCP ring, 1 connections to each neighbour",
            "accepts its left neighbour at 127.0.0.1:5000");
    environment.put("MLX_RANK", "1");
    assertThat(CheckReport.of(environment, "any").findings())
        .singleElement()
        .asString()
        .startsWith("accepts its left neighbour at 192.0.2.1:5000, which is no address of this");
  }

  @Test
  void shouldSayWhichOfTwoConfiguredBackendsItIs() throws IOException {
    Path hosts =
        Files.writeString(
            directory.resolve("hosts.json"), "[[\"127.0.0.1:5000\"], [\"192.0.2.1:5000\"]]");
    Map<String, String> environment =
        new HashMap<>(
            Map.of(
                "MLX_HOSTFILE", hosts.toString(),
                "MLX_RANK", "0",
                "MLX_IBV_DEVICES", write("[[null, \"emu0\"], [\"emu0\", null]]").toString()));
    CheckReport both = CheckReport.of(environment, "any");
    assertThat(both.backend()).isEqualTo("ring");
    assertThat(both.facts().getFirst()).contains("the TCP ring comes before JACCL");
    environment.put("JACCL4J_BACKEND", "jaccl");
    assertThat(CheckReport.of(environment, "any").backend()).isEqualTo("jaccl");
    assertThat(CheckReport.of(environment, "ring").backend())
        .as("what the command is told counts more")
        .isEqualTo("ring");
  }

  @Test
  void shouldNameTheBridgeThatAnInterfaceIsIn() throws IOException {
    Path devices = write("[[null, \"emu0\"], [\"emu1\", null]]");
    EmulatedVerbs emulated = EmulatedVerbs.fresh().setGids(0, List.of());
    CheckReport report =
        CheckReport.of(
            Map.of(
                "MLX_RANK",
                "0",
                "MLX_IBV_DEVICES",
                devices.toString(),
                "MLX_JACCL_COORDINATOR",
                "127.0.0.1:32323",
                "JACCL4J_VERBS_LIBRARY",
                emulated.library().toString()),
            "any",
            new BridgeMembers(Map.of("emu0", "bridge0")));
    assertThat(report.findings())
        .containsExactly(
            "device emu0: interface emu0 is a member of bridge0; take it out, so that it has an"
                + " address of its own",
            "device emu0: its port has no usable GID; give its network interface an IPv4 address");
  }

  @Test
  void shouldNameWhatIsMissing() {
    CheckReport report = CheckReport.of(Map.of("MLX_JACCL_COORDINATOR", "10.0.0.1:1"), "any");
    assertThat(report.findings())
        .singleElement()
        .asString()
        .contains(
            "JACCL is not configured: missing",
            "JACCL_RANK or MLX_RANK",
            "JACCL_IBV_DEVICES or MLX_IBV_DEVICES");
  }

  @Test
  void shouldRefuseABackendThatThereIsNot() {
    assertThat(CheckReport.of(Map.of(), "nccl").findings())
        .containsExactly("backend is \"nccl\", want one of any, ring, jaccl");
  }

  @Test
  void shouldDrawTheCablingWithItsBrokenLinks() throws IOException {
    StringWriter out = new StringWriter();
    Path picture = directory.resolve("mesh.svg");
    int exitCode =
        Main.commandLine()
            .setOut(new PrintWriter(out))
            .execute("topology", write(BROKEN).toString(), "--svg", picture.toString());
    assertThat(exitCode).isEqualTo(ExitCode.FAILED);
    assertThat(out.toString()).contains("mesh of 4, broken");
    assertThat(out.toString().lines().filter(line -> line.startsWith("X"))).hasSize(1);
    assertThat(Files.readString(picture)).contains("<svg", "#c53030");
  }

  @Test
  void shouldSayWhatIsWrongWithADeviceFile() throws IOException {
    StringWriter err = new StringWriter();
    int exitCode =
        Main.commandLine()
            .setErr(new PrintWriter(err))
            .execute("topology", write("[[null, 7], [\"a\", null]]").toString());
    assertThat(exitCode).isEqualTo(ExitCode.FAILED);
    assertThat(err.toString()).contains("devices.json:1:9: rank 0");
  }
}
