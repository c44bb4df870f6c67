package io.jaccl4j.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.jaccl4j.fabric.verbs.EmulatedVerbs;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Ranks as processes that know JACCL's environment and nothing else, over the emulated provider:
 * their lines are those that JACCL's own ranks printed.
 */
@Timeout(120)
class InteropProcessTest {
  private static final long PATIENCE_SECONDS = 100;

  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource({"mesh, 3, 1", "ring, 2, 2"})
  void shouldPrintWhatJacclPrints(String topology, int size, int wires) throws Exception {
    boolean ring = topology.equals("ring");
    List<Process> ranks = start(ring, size, wires, Map.of());
    List<List<String>> lines = lines(ranks);
    RecordedRun recorded = new RecordedRun(ring, size, wires);
    Expectation expectation = new Expectation(ring, size, wires);
    List<Step> steps = JacclSequence.steps(ring, size);
    for (int rank = 0; rank < size; rank++) {
      assertThat(ranks.get(rank).exitValue()).as("rank %d: %s", rank, lines.get(rank)).isZero();
      assertThat(lines.get(rank)).last().asString().endsWith("bad=0 PASS");
      JacclSequenceTest.checkLines(expectation, steps, lines.get(rank), recorded.lines(rank));
    }
  }

  @Test
  void shouldRunTheStepsThatAreAskedFor() throws Exception {
    List<Process> ranks = start(false, 2, 1, Map.of("INTEROP_FROM", "371", "INTEROP_TO", "375"));
    List<List<String>> lines = lines(ranks);
    assertThat(lines.getFirst())
        .hasSize(6)
        .first()
        .asString()
        .startsWith("STEP 371 burst int32 100 hash=4e25233146c78b29 check=OK");
    assertThat(lines.getFirst())
        .last()
        .isEqualTo("JACCL-INTEROP rank=0 n=2 topo=mesh wires=1 steps=5 bad=0 PASS");
  }

  @Test
  void shouldEndWithAnErrorWhereAPeerIsMissing() throws Exception {
    Process rank = start(0, false, 2, 1, freePort(), Map.of("JACCL4J_TIMEOUT", "3"));
    List<String> lines = lines(List.of(rank)).getFirst();
    assertThat(rank.exitValue()).isEqualTo(3);
    assertThat(lines).last().asString().startsWith("ERROR rank=0 step=000 ").contains("rank 1");
  }

  private List<Process> start(boolean ring, int size, int wires, Map<String, String> more)
      throws IOException {
    int port = freePort();
    List<Process> ranks = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      ranks.add(start(rank, ring, size, wires, port, more));
    }
    return ranks;
  }

  private Process start(
      int rank, boolean ring, int size, int wires, int port, Map<String, String> more)
      throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC",
            "--add-modules=jdk.incubator.vector",
            "--enable-native-access=ALL-UNNAMED",
            "-classpath",
            System.getProperty("java.class.path"),
            InteropMain.class.getName(),
            "jaccl");
    Map<String, String> environment = builder.environment();
    environment.put("JACCL_RANK", Integer.toString(rank));
    environment.put("JACCL_IBV_DEVICES", devices(ring, size, wires).toString());
    environment.put("JACCL_COORDINATOR", "127.0.0.1:" + port);
    environment.put("JACCL4J_VERBS_LIBRARY", EmulatedVerbs.build().toAbsolutePath().toString());
    environment.put("EMULATED_VERBS_FILE", directory.resolve("fabric").toString());
    environment.put("EMULATED_VERBS_HOLD", "1");
    if (ring) {
      environment.put("JACCL_RING", "1");
      environment.put("INTEROP_WIRES", Integer.toString(wires));
    }
    environment.putAll(more);
    return builder.redirectError(directory.resolve("rank-" + rank + ".log").toFile()).start();
  }

  private Path devices(boolean ring, int size, int wires) throws IOException {
    String cell = wires == 1 ? "\"emu0\"" : "[\"emu0\", \"emu1\"]";
    String matrix =
        IntStream.range(0, size)
            .mapToObj(
                row ->
                    IntStream.range(0, size)
                        .mapToObj(column -> row == column ? "null" : cell)
                        .collect(Collectors.joining(", ", "[", "]")))
            .collect(Collectors.joining(", ", "[", "]"));
    return Files.writeString(directory.resolve("devices.json"), matrix);
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** What each prints, once all have ended. */
  private static List<List<String>> lines(List<Process> ranks) throws InterruptedException {
    List<CompletableFuture<List<String>>> outputs =
        ranks.stream()
            .map(rank -> CompletableFuture.supplyAsync(() -> rank.inputReader().lines().toList()))
            .toList();
    try {
      for (Process rank : ranks) {
        assertThat(rank.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
      }
      return outputs.stream().map(CompletableFuture::join).toList();
    } finally {
      ranks.forEach(Process::destroyForcibly);
    }
  }
}
