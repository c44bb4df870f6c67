package io.jaccl4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class CommandLineTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @ParameterizedTest
  @ValueSource(strings = {"demo", "rank", "bench", "launch"})
  void shouldTeachEveryCommand(String command) {
    assertThat(execute(command, "--help")).isZero();
    assertThat(out.toString())
        .startsWith(header(command))
        .contains("Usage: jaccl4j " + command)
        .contains("Exit codes:", "All went well.", "130", "143", "Examples")
        .contains("  " + command + " ");
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void shouldListTheCommandsAndHideTheInternalOne() {
    assertThat(execute("--help")).isZero();
    assertThat(out.toString()).contains("demo", "rank", "bench", "help", "Exit codes:");
    assertThat(out.toString()).doesNotContain(SpawnedRankCommand.NAME);
  }

  @Test
  void shouldSayTheVersion() {
    assertThat(execute("--version")).isZero();
    assertThat(out.toString()).startsWith("jaccl4j ").contains("Java " + Runtime.version());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "dance | dance",
        "demo --dance | --dance",
        "demo -n 0 | want 1 to 16 ranks",
        "demo -n 17 | want 1 to 16 ranks",
        "demo -n four | four",
        "demo --form-timeout 0 | --form-timeout",
        "bench -n 0 | want 1 to 16 ranks",
        "bench --min 3 --max 3 | less than one element (4 bytes)",
        "bench -n 4 --op all_gather --max 8 | for each of the ranks",
        "bench --min 1M --max 4 | min <= max",
        "bench --max 2G | at most 1G",
        "bench --max 1T | not a size",
        "bench --seconds 0 | --seconds is 0.0",
        "bench --seconds NaN | --seconds is NaN",
        "bench --iterations 0 | --iterations is 0",
        "bench --factor 1 | factor is 1",
        "bench --op dance | dance",
        "bench --op all_to_all --in-place | separate buffers",
        "bench --op send_recv -n 1 | 2 ranks",
        "bench --op broadcast --wire mlx | in no wire of MLX",
        "bench --op barrier --plot a.svg | no sizes",
        "bench --dtype float8 | float8",
        "bench --mode all | all",
        "bench --topology star | star",
        "bench --fabric pigeon | pigeon",
        "bench --compare shm,pigeon | pigeon",
        "bench --compare shm,tcp,shm | names a transport twice",
        "bench --compare shm -n 1 | 2 ranks",
        "bench --compare tcp --topology ring | without --fabric, --topology",
        "bench --compare tcp --wires 2 | without --fabric, --topology",
        "bench --compare ring --check | without --check",
        "bench --compare ring --mode both | on the engine threads alone",
        "bench --compare ring --op broadcast | not broadcast",
        "demo --fabric pigeon | pigeon",
        "bench --wires 5 | --wires is 5",
        "bench --csv no-such-directory/a.csv | cannot be written",
        "bench --work-timeout 0 | --work-timeout",
        "rank | --config",
        "rank --config no-such.conf | no-such.conf",
        "rank --config no-such.conf --job dance | dance",
        "rank --config no-such.conf --work-timeout 0 | --work-timeout",
        "launch -- true | -n",
        "launch -n 2 | COMMAND",
        "launch -n 2 --hostfile no-such.json -- true | mutually exclusive",
        "launch -n 0 -- true | number of ranks is 0",
        "launch -n 2 --dance -- true | --dance",
        "launch -n 2 --backend mpi -- true | want any, ring, jaccl, jaccl-ring",
        "launch -n 2 --backend jaccl -- true | needs the devices",
        "launch -n 2 --starting-port 0 -- true | starting port is 0",
        "launch -n 2 --starting-port 65535 -- true | port 65536",
        "launch -n 2 --connections-per-ip 0 -- true | connections for each address are 0",
        "launch -n 2 --env 1A=2 -- true | no name of a variable",
        "launch -n 2 --env NO_SUCH_VARIABLE -- true | NO_SUCH_VARIABLE=VALUE",
        "launch -n 2 --env MLX_RANK=2 -- true | is set by the launcher",
        "launch -n 2 --grace 3601 -- true | --grace is 3601",
        "launch --hostfile no-such.json -- true | no-such.json",
      })
  void shouldRefuseAWrongCommandLine(String arguments, String complaint) {
    assertThat(execute(arguments.split(" "))).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains(complaint).contains("Try 'jaccl4j");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void shouldListTheCommandsWhenNoneIsGiven() {
    assertThat(execute()).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("Usage: jaccl4j", "demo", "rank", "bench");
  }

  @Test
  void shouldRefuseABrokenConfigurationFile(@TempDir Path directory) throws IOException {
    Path file = Files.writeString(directory.resolve("broken.conf"), "pekko { loglevel = ");
    assertThat(execute("rank", "--config", file.toString())).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("broken.conf");
  }

  private int execute(String... arguments) {
    return Main.commandLine()
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(arguments);
  }

  private static String header(String command) {
    CommandLine subcommand = Main.commandLine().getSubcommands().get(command);
    return subcommand.getCommandSpec().usageMessage().header()[0];
  }
}
