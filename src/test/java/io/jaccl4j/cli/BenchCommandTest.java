package io.jaccl4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The whole command, with ranks as processes of this machine. */
@Timeout(180)
class BenchCommandTest {
  @TempDir private Path directory;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int bench(String... arguments) {
    CommandLine commandLine = Main.commandLine();
    commandLine.setOut(new PrintWriter(out, true));
    commandLine.setErr(new PrintWriter(err, true));
    return commandLine.execute(arguments);
  }

  @Test
  void shouldCompareTransportsWithEachOtherAndWithBareSockets() throws Exception {
    Path csv = directory.resolve("compared.csv");
    Path plot = directory.resolve("compared.svg");
    int exitCode =
        bench(
            "bench",
            "--compare=shm,tcp,ring",
            "--min=4",
            "--max=256K",
            "--factor=256",
            "--seconds=0.01",
            "--csv=" + csv,
            "--plot=" + plot);
    assertThat(exitCode).as(out + "\n" + err).isZero();
    // Long lines are broken to the width of a terminal.
    assertThat(out.toString().replaceAll("\\s+", " "))
        .contains("Transports")
        .contains("ring rank [0] of [2]")
        .contains("Comparison: all_sum float32, 2 ranks")
        .contains("raw round trip of 4 bytes over one socket")
        .contains("OK: 2 ranks");
    List<String> lines = Files.readAllLines(csv);
    int transport = List.of(lines.getFirst().split(",")).indexOf("transport");
    assertThat(lines.subList(1, lines.size()))
        .hasSize(3 * 5)
        .extracting(line -> line.split(",")[transport])
        .containsOnly("shm", "tcp", "ring", "sockets-mesh", "sockets-ring");
    assertThat(Files.readString(plot)).startsWith("<svg").contains(">ring<", ">sockets-ring<");
  }
}
