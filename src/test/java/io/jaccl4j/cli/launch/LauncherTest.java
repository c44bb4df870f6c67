package io.jaccl4j.cli.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.jaccl4j.config.mlx.RingHostfile;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(90)
class LauncherTest {
  private static final Duration GRACE = Duration.ofSeconds(2);

  /** More than the grace, what the keeper needs beside it and a slow machine take together. */
  private static final Duration BOUND = Duration.ofSeconds(20);

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @TempDir private Path directory;

  @Test
  void shouldPutTheRankInFrontOfEveryLineOfBothStreams() throws Exception {
    assertThat(run(3, "echo out of $MLX_RANK; echo err of $MLX_RANK >&2; printf 'no end'"))
        .isZero();
    assertThat(lines(out))
        .containsExactlyInAnyOrder(
            "[0] out of 0",
            "[0] no end",
            "[1] out of 1",
            "[1] no end",
            "[2] out of 2",
            "[2] no end");
    assertThat(lines(err))
        .containsExactlyInAnyOrder("[0] err of 0", "[1] err of 1", "[2] err of 2");
  }

  @Test
  void shouldGiveItsInputToEveryRank() throws Exception {
    try (InputStream in = input("one\ntwo")) {
      assertThat(run(2, in, "cat; echo; echo done")).isZero();
    }
    assertThat(lines(out).stream().filter(line -> line.startsWith("[0]")))
        .containsExactly("[0] one", "[0] two", "[0] done");
    assertThat(lines(out).stream().filter(line -> line.startsWith("[1]")))
        .containsExactly("[1] one", "[1] two", "[1] done");
  }

  @Test
  void shouldGiveInputAsItComes() throws Exception {
    try (PipedOutputStream writer = new PipedOutputStream();
        PipedInputStream in = new PipedInputStream(writer)) {
      CompletableFuture<Integer> exit =
          CompletableFuture.supplyAsync(
              () -> unchecked(() -> run(1, in, "read a; echo got $a; read b; echo got $b")));
      writer.write("first\n".getBytes(StandardCharsets.UTF_8));
      writer.flush();
      await().atMost(BOUND).untilAsserted(() -> assertThat(lines(out)).contains("[0] got first"));
      writer.write("second\n".getBytes(StandardCharsets.UTF_8));
      writer.flush();
      assertThat(exit.get(BOUND.toSeconds(), TimeUnit.SECONDS)).isZero();
      assertThat(lines(out)).containsExactly("[0] got first", "[0] got second");
    }
  }

  @Test
  void shouldPassAnyBytes() throws Exception {
    byte[] data = new byte[100_000];
    new Random(7).nextBytes(data);
    Path expected = Files.write(directory.resolve("data"), data);
    try (InputStream in = Files.newInputStream(expected)) {
      assertThat(run(2, in, "cmp - " + expected + " && echo equal")).isZero();
    }
    assertThat(lines(out)).containsExactlyInAnyOrder("[0] equal", "[1] equal");
  }

  @Test
  void shouldEndTheOthersAndReturnTheCodeOfTheFirstFailure() throws Exception {
    Path pids = Files.createDirectory(directory.resolve("pids"));
    String started = "[ $(ls " + pids + " | wc -l) = 3 ]";
    long startNanos = System.nanoTime();
    int exit =
        run(
            3,
            "echo $$ > "
                + pids
                + "/$MLX_RANK; while ! "
                + started
                + "; do sleep 0.05; done; [ $MLX_RANK = 1 ] && exit 42; sleep 300 & wait");
    assertThat(exit).isEqualTo(42);
    assertThat(Duration.ofNanos(System.nanoTime() - startNanos)).isLessThan(BOUND);
    assertThat(text(err)).contains("launch: rank 1 (this machine) failed: exit code 42");
    assertThat(text(err)).contains("ending ranks 0, 2");
    for (int rank = 0; rank < 3; rank++) {
      long pid = Long.parseLong(Files.readString(pids.resolve("" + rank)).strip());
      assertThat(ProcessHandle.of(pid)).as("rank %d", rank).isEmpty();
    }
  }

  @Test
  void shouldShowTheLastWordsOfRanksThatItEnds() throws Exception {
    Path ready = directory.resolve("ready");
    assertThat(
            run(
                2,
                "if [ $MLX_RANK = 0 ]; then trap 'echo farewell; exit 0' TERM; touch "
                    + ready
                    + "; sleep 300 & wait; fi; while ! [ -e "
                    + ready
                    + " ]; do sleep 0.05; done; exit 9"))
        .isEqualTo(9);
    assertThat(lines(out)).containsExactly("[0] farewell");
  }

  @Test
  void shouldKillWhoeverDoesNotEndAndWhatItHasStarted() throws Exception {
    Path pids = directory.resolve("pid");
    int exit =
        run(
            2,
            "trap '' TERM; if [ $MLX_RANK = 0 ]; then sleep 300 & echo $! > "
                + pids
                + ".new; mv "
                + pids
                + ".new "
                + pids
                + "; while :; do sleep 1; done; fi; while ! [ -e "
                + pids
                + " ]; do sleep 0.05; done; exit 3");
    assertThat(exit).isEqualTo(3);
    long pid = Long.parseLong(Files.readString(pids).strip());
    await().atMost(BOUND).until(() -> ProcessHandle.of(pid).isEmpty());
  }

  @Test
  void shouldEndWhatARankLeavesBehind() throws Exception {
    Path pid = directory.resolve("pid");
    assertThat(run(1, "sleep 300 & echo $! > " + pid)).isZero();
    long left = Long.parseLong(Files.readString(pid).strip());
    await().atMost(BOUND).until(() -> ProcessHandle.of(left).isEmpty());
  }

  @Test
  void shouldReportASignalAndAMissingProgramByTheirCodes() throws Exception {
    assertThat(run(1, "kill -9 $$")).isEqualTo(137);
    assertThat(text(err)).contains("exit code 137, as after signal 9");
    assertThat(run(plan(1, List.of("no-such-program")), InputStream.nullInputStream()))
        .isEqualTo(127);
    assertThat(text(err)).contains("no-such-program");
  }

  @Test
  void shouldGiveFilesThatAreGoneAfterwards() throws Exception {
    assertThat(run(2, "echo $MLX_HOSTFILE; cat $MLX_HOSTFILE >&2; echo $LAUNCH_EXTRA")).isZero();
    String shown =
        lines(err).stream()
            .filter(line -> line.startsWith("[1] "))
            .map(line -> line.substring(4))
            .reduce("", String::concat);
    assertThat(RingHostfile.parse(shown, "shown"))
        .isEqualTo(
            RingHostfile.parse("[[\"127.0.0.1:32323\"], [\"127.0.0.1:32324\"]]", "expected"));
    assertThat(lines(out)).contains("[0] it's \"quoted\" $HOME", "[1] it's \"quoted\" $HOME");
    List<Path> files =
        lines(out).stream()
            .filter(line -> line.endsWith(".json"))
            .map(line -> Path.of(line.substring(4)))
            .toList();
    assertThat(files).hasSize(2);
    assertThat(files).noneMatch(file -> Files.exists(file.getParent()));
  }

  @Test
  void shouldEndTheRanksWhenNobodyReadsTheirOutput() throws Exception {
    OutputStream closed =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("Broken pipe");
          }
        };
    try (Launcher launcher =
        new Launcher(
            plan(2, shell("echo hello; sleep 300")),
            GRACE,
            new StandardStreams(InputStream.nullInputStream(), closed, err))) {
      assertThat(launcher.run()).isEqualTo(1);
    }
    assertThat(text(err)).contains("cannot be shown: Broken pipe");
  }

  @Test
  void shouldEndARankThatDoesNotReadItsInput() throws Exception {
    byte[] much = new byte[400_000];
    try (InputStream in = new ByteArrayInputStream(much)) {
      long startNanos = System.nanoTime();
      assertThat(run(2, in, "[ $MLX_RANK = 1 ] && sleep 1 && exit 5; exec sleep 300")).isEqualTo(5);
      assertThat(Duration.ofNanos(System.nanoTime() - startNanos)).isLessThan(BOUND);
    }
  }

  @Test
  void shouldWorkInTheDirectoryThatIsAskedFor() throws Exception {
    Path there = Files.createDirectory(directory.resolve("it's there"));
    LaunchRequest request = request(Optional.of(there.toString()), shell("pwd"));
    assertThat(run(LaunchPlan.onThisMachine(1, request), InputStream.nullInputStream())).isZero();
    assertThat(lines(out)).containsExactly("[0] " + there.toRealPath());

    LaunchRequest missing = request(Optional.of(directory + "/none"), shell("pwd"));
    assertThat(run(LaunchPlan.onThisMachine(1, missing), InputStream.nullInputStream()))
        .isEqualTo(125);
    assertThat(text(err)).contains(directory + "/none");
  }

  @Test
  void shouldShowALongLineInParts() throws Exception {
    PrefixedLines lines = new PrefixedLines(4, out);
    byte[] bytes = new byte[PrefixedLines.MAX_LINE_BYTES + 3];
    Arrays.fill(bytes, (byte) 'x');
    lines.write(bytes, bytes.length);
    lines.end();
    assertThat(lines(out)).hasSize(2).last().isEqualTo("[4] xx");
    assertThat(out.size()).isEqualTo(bytes.length + 2 * "[4] \n".length());
  }

  private int run(int size, String script) throws Exception {
    return run(size, InputStream.nullInputStream(), script);
  }

  private int run(int size, InputStream in, String script) throws Exception {
    return run(plan(size, shell(script)), in);
  }

  private int run(LaunchPlan plan, InputStream in) throws Exception {
    try (Launcher launcher = new Launcher(plan, GRACE, new StandardStreams(in, out, err))) {
      return launcher.run();
    }
  }

  private static List<String> shell(String script) {
    return List.of("/bin/sh", "-c", script);
  }

  private static LaunchPlan plan(int size, List<String> command) {
    return LaunchPlan.onThisMachine(size, request(Optional.empty(), command));
  }

  private static LaunchRequest request(Optional<String> cwd, List<String> command) {
    return new LaunchRequest(
        Optional.empty(), 32323, 1, Map.of("LAUNCH_EXTRA", "it's \"quoted\" $HOME"), cwd, command);
  }

  private static InputStream input(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }

  private static List<String> lines(ByteArrayOutputStream bytes) {
    return text(bytes).lines().toList();
  }

  private static String text(ByteArrayOutputStream bytes) {
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private interface Checked<T> {
    T get() throws Exception;
  }

  private static <T> T unchecked(Checked<T> call) {
    try {
      return call.get();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
