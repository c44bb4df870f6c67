package io.jaccl4j.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.jaccl4j.ring.RingHosts;
import io.jaccl4j.ring.RingRanks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ranks of MLX's sequence as processes of their own. */
class MlxRingRankTest {
  private static final int SIZE = 2;
  private static final int CONNECTIONS = 2;
  private static final long PATIENCE_SECONDS = 120;

  @TempDir private Path directory;

  @Test
  void shouldPrintMlxsLinesAndNothingElse() throws IOException, InterruptedException {
    Path hostfile = directory.resolve("hosts.json");
    Files.writeString(hostfile, json(RingRanks.hosts(SIZE, CONNECTIONS)));
    List<Process> processes = new ArrayList<>();
    try {
      for (int rank = 0; rank < SIZE; rank++) {
        processes.add(start(hostfile, rank));
      }
      List<String> printed = new ArrayList<>();
      for (int rank = 0; rank < SIZE; rank++) {
        Process process = processes.get(rank);
        assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(Files.readString(file(rank, "err"))).isZero();
        printed.addAll(Files.readAllLines(file(rank, "out")));
      }
      assertThat(printed)
          .containsExactlyInAnyOrderElementsOf(MlxSequenceTest.recorded(SIZE, CONNECTIONS));
    } finally {
      processes.forEach(Process::destroyForcibly);
    }
  }

  @Test
  void shouldSayWhatIsMissingAndExitOtherwise() throws IOException, InterruptedException {
    Process process = start(directory.resolve("none.json"), 0);
    assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(1);
    assertThat(Files.readString(file(0, "err"))).contains("none.json");
    assertThat(Files.readString(file(0, "out"))).isEmpty();
  }

  private Path file(int rank, String kind) {
    return directory.resolve("rank-" + rank + "." + kind);
  }

  private Process start(Path hostfile, int rank) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC",
            "--add-modules=jdk.incubator.vector",
            "--enable-native-access=ALL-UNNAMED",
            "-classpath",
            System.getProperty("java.class.path"),
            MlxRingRank.class.getName());
    builder.environment().put("MLX_HOSTFILE", hostfile.toString());
    builder.environment().put("MLX_RANK", Integer.toString(rank));
    builder.redirectError(file(rank, "err").toFile());
    return builder.redirectOutput(file(rank, "out").toFile()).start();
  }

  private static String json(RingHosts hosts) {
    return hosts.rows().stream()
        .map(
            row ->
                row.stream()
                    .map(address -> "\"" + address.getHostString() + ":" + address.getPort() + "\"")
                    .collect(Collectors.joining(",", "[", "]")))
        .collect(Collectors.joining(",", "[", "]"));
  }
}
