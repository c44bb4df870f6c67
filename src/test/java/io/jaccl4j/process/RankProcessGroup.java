package io.jaccl4j.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * Ranks in processes of their own, which are members of one cluster. Process {@code i} insists on
 * rank {@code i}. Closing kills whatever is left of them and sees that nothing else is.
 */
final class RankProcessGroup implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final ProcessConfig config;
  private final Path shmDirectory;
  private final Path logDirectory;

  /** By number; a replacement takes the place of what it replaces. */
  private final List<ChildRank> current = new ArrayList<>();

  private final List<ChildRank> ever = new ArrayList<>();

  private RankProcessGroup(ProcessConfig config) throws IOException {
    this.config = config;
    this.shmDirectory = Files.createTempDirectory(Path.of("/dev/shm"), "process-test-");
    this.logDirectory = Files.createTempDirectory("process-test-");
  }

  /** Starts processes and makes them a cluster. */
  static RankProcessGroup start(int count, ProcessConfig config) throws IOException {
    RankProcessGroup group = new RankProcessGroup(config);
    try {
      for (int number = 0; number < count; number++) {
        group.current.add(group.spawn(number, ""));
      }
      group.run("cluster " + group.rank(0).address());
      group.awaitUp();
      return group;
    } catch (RuntimeException | Error e) {
      group.attachLogs(e);
      group.close();
      throw e;
    }
  }

  private ChildRank spawn(int number, String extra) throws IOException {
    String own =
        """
        jaccl4j.group.rank = %d
        jaccl4j.memory.shm-directory = "%s"
        %s
        """
            .formatted(number, shmDirectory, extra);
    Path log = logDirectory.resolve("rank-%d-%d.log".formatted(number, ever.size()));
    ChildRank child = ChildRank.start(number, config.text() + own, log);
    ever.add(child);
    return child;
  }

  /**
   * Starts a process in the place of one that is gone, or cannot be reached.
   *
   * @param extra what is different in its configuration
   * @param seed the member whose cluster it joins
   */
  ChildRank replace(ChildRank gone, String extra, ChildRank seed) throws IOException {
    ChildRank fresh = spawn(gone.number(), extra);
    current.set(gone.number(), fresh);
    fresh.run("cluster " + seed.address());
    return fresh;
  }

  ProcessConfig config() {
    return config;
  }

  ChildRank rank(int number) {
    return current.get(number);
  }

  /** The ranks that take part now. */
  List<ChildRank> all() {
    return List.copyOf(current);
  }

  /** All but one. */
  List<ChildRank> without(ChildRank victim) {
    return current.stream().filter(child -> child != victim).toList();
  }

  /** Every rank does something, at the same time; it must succeed on all of them. */
  List<Answer> run(String command) {
    return run(current, command);
  }

  /** These ranks do something, at the same time; it must succeed on all of them. */
  static List<Answer> run(List<ChildRank> ranks, String command) {
    List<CompletableFuture<Answer>> pending =
        ranks.stream().map(rank -> rank.ask(command)).toList();
    List<Answer> answers = new ArrayList<>();
    for (int i = 0; i < ranks.size(); i++) {
      answers.add(ranks.get(i).succeeded(command, pending.get(i)));
    }
    return answers;
  }

  /** All join a group; returns its epoch. */
  long join(String name) {
    List<Answer> answers = run("join %s %d".formatted(name, current.size()));
    assertThat(answers).extracting(answer -> answer.number("epoch")).containsOnly(epochOf(answers));
    for (int number = 0; number < answers.size(); number++) {
      assertThat(answers.get(number).number("rank")).isEqualTo(number);
    }
    return epochOf(answers);
  }

  private static long epochOf(List<Answer> answers) {
    return answers.getFirst().number("epoch");
  }

  private void awaitUp() {
    for (ChildRank child : current) {
      await("all up, as seen by " + child)
          .atMost(PATIENCE)
          .pollInterval(Duration.ofMillis(50))
          .until(() -> child.run("state").number("up") == current.size());
    }
  }

  /** Adds what the processes logged to a failure. */
  void attachLogs(Throwable failure) {
    for (ChildRank child : ever) {
      failure.addSuppressed(
          new AssertionError("log of %s:%n%s".formatted(child, String.join("\n", child.log()))));
    }
  }

  /** Idempotent. */
  @Override
  public void close() {
    ever.forEach(ChildRank::kill);
    ever.forEach(child -> child.awaitExit(PATIENCE));
    try {
      List<Path> left = delete(shmDirectory);
      delete(logDirectory);
      assertThat(left).as("files left in shared memory").isEmpty();
    } catch (IOException e) {
      throw new AssertionError("cannot remove the directories of this test", e);
    }
  }

  /** Deletes a directory and says what was in it. */
  private static List<Path> delete(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return List.of();
    }
    List<Path> found;
    try (Stream<Path> files = Files.list(directory)) {
      found = files.toList();
    }
    for (Path file : found) {
      Files.delete(file);
    }
    Files.delete(directory);
    return found;
  }
}
