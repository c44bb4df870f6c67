package io.jaccl4j.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The command as a process of its own, whose end is part of what is tested. */
@Timeout(120)
class LaunchCommandTest {
  private static final Duration BOUND = Duration.ofSeconds(30);

  /** As ssh does it: joins its words for a shell elsewhere, with another environment. */
  private static final String FAKE_SSH =
      """
      #!/bin/sh
      printf '%s\\n' "$@" >"$SSH_LOG.$$"
      while [ "$1" != -- ]; do shift; done
      host=$2
      shift 2
      mv "$SSH_LOG.$$" "$SSH_LOG.$host"
      [ "$host" = 192.0.2.255 ] && echo "no route to $host" >&2 && exit 255
      cd / && exec env -i PATH="$PATH" TMPDIR="$TMPDIR" SSH_HOST="$host" /bin/sh -c "$*"
      """;

  private static final String TWO_HOSTS =
      "[{\"ssh\":\"192.0.2.1\",\"ips\":[\"10.0.0.1\"]},{\"ssh\":\"%s\",\"ips\":[\"10.0.0.2\"]}]";

  /** Prints its number and its child's. */
  private static final String SLEEPER = "sleep 300 & echo $$ $!; trap 'exit 0' TERM; wait; wait";

  @TempDir private Path directory;
  private Path temporary;
  private final List<Process> launchers = new ArrayList<>();

  @BeforeEach
  void makeDirectories() throws IOException {
    temporary = Files.createDirectory(directory.resolve("tmp"));
    Path ssh = Files.createDirectory(directory.resolve("bin")).resolve("ssh");
    Files.writeString(ssh, FAKE_SSH);
    Files.setPosixFilePermissions(ssh, PosixFilePermissions.fromString("rwx------"));
  }

  @AfterEach
  void endLaunchers() {
    launchers.forEach(Process::destroyForcibly);
  }

  @Test
  void shouldReturnTheCodeOfTheRankThatFailed() throws Exception {
    Process launcher = launch("-n", "2", "sh", "-c", "echo $MLX_RANK; exit $((MLX_RANK * 42))");
    assertThat(output(launcher)).contains("[1] 1");
    assertThat(launcher.waitFor()).isEqualTo(42);
    assertThat(errors(launcher)).anyMatch(line -> line.contains("rank 1 (this machine) failed"));
    assertNothingIsLeft(List.of());
  }

  @Test
  void shouldDescribeARingToProgramsOfThisLibrary() throws Exception {
    List<String> arguments = new ArrayList<>(List.of("-n", "2", "--starting-port", "7100", "--"));
    arguments.addAll(JavaCommand.of(LaunchedProgram.class.getName(), List.of()));
    Process launcher = launch(arguments.toArray(String[]::new));
    assertThat(output(launcher))
        .containsExactlyInAnyOrder(
            "[0] rank 0 of [[127.0.0.1:7100], [127.0.0.1:7101]]",
            "[1] rank 1 of [[127.0.0.1:7100], [127.0.0.1:7101]]");
    assertThat(launcher.waitFor()).isZero();
  }

  @Test
  void shouldNotInheritARankFromItsOwnEnvironment() throws Exception {
    ProcessBuilder builder =
        builder(
            "-n",
            "1",
            "--env",
            "PASSED_ON",
            "--",
            "sh",
            "-c",
            "echo $MLX_RANK ${JACCL_RANK-none} ${MLX_HOSTFILE-none} $PASSED_ON");
    builder.environment().put("JACCL_RANK", "9");
    builder.environment().put("MLX_HOSTFILE", "/stale");
    builder.environment().put("PASSED_ON", "yes");
    Process launcher = start(builder);
    assertThat(output(launcher)).containsExactly("[0] 0 none none yes");
    assertThat(launcher.waitFor()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"-n 2", "--hostfile"})
  void shouldLeaveNothingWhenItIsKilled(String where) throws Exception {
    Process launcher = launchSleepers(where);
    List<Long> pids = pids(launcher);
    assertThat(pids).allMatch(pid -> ProcessHandle.of(pid).isPresent());
    launcher.toHandle().destroyForcibly();
    assertThat(launcher.waitFor()).isEqualTo(137);
    assertNothingIsLeft(pids);
  }

  @ParameterizedTest
  @ValueSource(strings = {"-n 2", "--hostfile"})
  void shouldLeaveNothingWhenItIsTerminated(String where) throws Exception {
    Process launcher = launchSleepers(where);
    List<Long> pids = pids(launcher);
    launcher.toHandle().destroy();
    assertThat(launcher.waitFor(BOUND.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(launcher.exitValue()).isEqualTo(143);
    assertNothingIsLeft(pids);
  }

  /** As on macOS, which has perl, and on a machine that has neither. */
  @ParameterizedTest
  @ValueSource(strings = {"perl", ""})
  void shouldEndRanksWhereThereIsNoSetsid(String instead) throws Exception {
    Path tools = Files.createDirectory(directory.resolve("tools"));
    for (String tool : List.of("sh", "dd", "mktemp", "mkfifo", "rm", "cat", "sleep", instead)) {
      if (!tool.isEmpty()) {
        Files.createSymbolicLink(tools.resolve(tool), program(tool));
      }
    }
    String script = instead.isEmpty() ? "echo $$ $$; exec sleep 300" : SLEEPER;
    ProcessBuilder builder = builder("-n", "2", "--", "sh", "-c", script);
    builder.environment().put("PATH", tools.toString());
    Process launcher = start(builder);
    List<Long> pids = pids(launcher);
    launcher.toHandle().destroyForcibly();
    assertNothingIsLeft(pids);
  }

  private static Path program(String name) {
    return Arrays.stream(System.getenv("PATH").split(":"))
        .map(directory -> Path.of(directory, name))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void shouldRunRanksOfOtherHostsThroughSsh() throws Exception {
    Process launcher =
        launch(
            "--hostfile",
            hostfile("127.0.0.1").toString(),
            "--env",
            "QUOTED=it's \"so\" $HOME `x`",
            "--",
            "sh",
            "-c",
            "read line; echo \"$MLX_RANK/${SSH_HOST-here}/$QUOTED/$line/$1\"; test -f $MLX_HOSTFILE",
            "name",
            "two  words; 'and' more\n");
    try (Writer input = launcher.outputWriter()) {
      input.write("to all\n");
    }
    assertThat(output(launcher))
        .containsExactlyInAnyOrder(
            "[0] 0/192.0.2.1/it's \"so\" $HOME `x`/to all/two  words; 'and' more",
            "[0] ",
            "[1] 1/here/it's \"so\" $HOME `x`/to all/two  words; 'and' more",
            "[1] ");
    assertThat(launcher.waitFor()).as(() -> errors(launcher).toString()).isZero();
    assertThat(Files.readAllLines(directory.resolve("log.192.0.2.1")))
        .contains("BatchMode=yes", "ConnectTimeout=10", "ServerAliveInterval=5", "192.0.2.1")
        .as("nothing of the rank's is on the command line of ssh")
        .noneMatch(line -> line.contains("QUOTED") || line.contains("words"));
    assertThat(directory.resolve("log.127.0.0.1")).doesNotExist();
    assertNothingIsLeft(List.of());
  }

  @Test
  void shouldFailWithTheCodeOfSshAndEndTheOthersWhenAHostCannotBeReached() throws Exception {
    Process launcher =
        launch("--hostfile", hostfile("192.0.2.255").toString(), "--", "sleep", "300");
    assertThat(launcher.waitFor(BOUND.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(launcher.exitValue()).isEqualTo(255);
    assertThat(errors(launcher))
        .contains(
            "[1] no route to 192.0.2.255",
            "launch: rank 1 (192.0.2.255) failed: exit code 255, ssh's own for a host it cannot"
                + " reach; ending rank 0");
    assertNothingIsLeft(List.of());
  }

  @Test
  void shouldEndTheOthersWhenSshIsNotThere() throws Exception {
    Path mixed =
        Files.writeString(
            directory.resolve("mixed.json"),
            "[{\"ssh\":\"127.0.0.1\",\"ips\":[\"10.0.0.1\"]},"
                + "{\"ssh\":\"192.0.2.1\",\"ips\":[\"10.0.0.2\"]}]");
    Files.delete(directory.resolve("bin/ssh"));
    ProcessBuilder builder = builder("--hostfile", mixed.toString(), "--", "sleep", "300");
    builder.environment().put("PATH", directory.resolve("bin").toString());
    Process launcher = start(builder);
    assertThat(launcher.waitFor(BOUND.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(launcher.exitValue()).isEqualTo(1);
    assertThat(errors(launcher))
        .anyMatch(line -> line.contains("a rank cannot be started") && line.contains("ssh"));
    assertNothingIsLeft(List.of());
  }

  @Test
  void shouldShowWhatItWouldRunAndRunNothing() throws IOException {
    StringWriter out = new StringWriter();
    Path hostfile = hostfile("127.0.0.1");
    int exit =
        Main.commandLine()
            .setOut(new PrintWriter(out))
            .execute("launch", "--hostfile", hostfile.toString(), "--dry-run", "prog", "--print");
    assertThat(exit).isZero();
    assertThat(out.toString())
        .contains("rank 0 (192.0.2.1)", "ssh 192.0.2.1", "rank 1 (this machine)")
        .contains("MLX_RANK=1", "10.0.0.2:32324", "runs   prog --print");
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files.map(path -> path.getFileName().toString()))
          .noneMatch(n -> n.contains("log"));
    }
  }

  private Process launchSleepers(String where) throws IOException {
    List<String> arguments =
        new ArrayList<>(
            where.equals("--hostfile")
                ? List.of("--hostfile", hostfile("192.0.2.2").toString())
                : List.of(where.split(" ")));
    arguments.addAll(List.of("--", "sh", "-c", SLEEPER));
    return launch(arguments.toArray(String[]::new));
  }

  /** Both ranks print their own number and their child's. */
  private static List<Long> pids(Process launcher) throws IOException {
    List<Long> pids = new ArrayList<>();
    BufferedReader reader = launcher.inputReader();
    for (int rank = 0; rank < 2; rank++) {
      String line = reader.readLine();
      assertThat(line).as("line of a rank").isNotNull();
      Arrays.stream(line.split(" ")).skip(1).map(Long::valueOf).forEach(pids::add);
    }
    assertThat(pids).hasSize(4);
    return pids;
  }

  private void assertNothingIsLeft(List<Long> pids) {
    await()
        .atMost(BOUND)
        .untilAsserted(
            () -> {
              assertThat(pids).noneMatch(pid -> ProcessHandle.of(pid).isPresent());
              try (Stream<Path> files = Files.list(temporary)) {
                assertThat(files).as("temporary files").isEmpty();
              }
            });
  }

  private Path hostfile(String second) throws IOException {
    return Files.writeString(directory.resolve("hosts.json"), TWO_HOSTS.formatted(second));
  }

  private Process launch(String... arguments) throws IOException {
    return start(builder(arguments));
  }

  private Process start(ProcessBuilder builder) throws IOException {
    Process launcher = builder.start();
    launchers.add(launcher);
    return launcher;
  }

  private ProcessBuilder builder(String... arguments) {
    List<String> all = new ArrayList<>(List.of("launch"));
    all.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(JavaCommand.of(Main.class.getName(), all));
    builder
        .environment()
        .merge("PATH", directory.resolve("bin").toString(), (path, first) -> first + ":" + path);
    builder.environment().put("TMPDIR", temporary.toString());
    builder.environment().put("SSH_LOG", directory.resolve("log").toString());
    return builder;
  }

  private static List<String> output(Process launcher) {
    return launcher.inputReader().lines().toList();
  }

  private static List<String> errors(Process launcher) {
    return launcher.errorReader().lines().toList();
  }
}
