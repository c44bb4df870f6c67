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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ranks in processes of their own, which are members of one cluster. Process {@code i} insists on
 * rank {@code i}. Closing kills whatever is left of them and sees that nothing else is.
 */
final class RankProcessGroup implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RankProcessGroup.class);

  /** For a machine, or a guest in it, that is several times slower than usual. */
  private static final Duration PATIENCE = Duration.ofSeconds(120);

  private final ProcessConfig config;
  private final Placement placement;
  private final Path shmDirectory;
  private final Path logDirectory;

  /** By number; a replacement takes the place of what it replaces. */
  private final List<ChildRank> current = new ArrayList<>();

  private final List<ChildRank> ever = new ArrayList<>();

  private RankProcessGroup(ProcessConfig config, Placement placement) throws IOException {
    this.config = config;
    this.placement = placement;
    this.shmDirectory = Files.createTempDirectory(Path.of("/dev/shm"), "jaccl4j-processes-");
    this.logDirectory = Files.createTempDirectory("jaccl4j-processes-");
  }

  /** Starts processes and makes them a cluster. */
  static RankProcessGroup start(int count, ProcessConfig config) throws IOException {
    return start(count, config, Placement.HERE);
  }

  /** {@link #start(int, ProcessConfig)} somewhere, which is closed with the group. */
  static RankProcessGroup start(int count, ProcessConfig config, Placement placement)
      throws IOException {
    final long startNanos = System.nanoTime();
    RankProcessGroup group = new RankProcessGroup(config, placement);
    try {
      for (int number = 0; number < count; number++) {
        group.current.add(group.spawn(number, ""));
      }
      group.run("cluster " + group.rank(0).address());
      group.awaitUp();
    } catch (RuntimeException | Error e) {
      group.attachLogs(e);
      group.close();
      throw e;
    }
    LOG.info("{} processes up after {} ms", count, (System.nanoTime() - startNanos) / 1_000_000);
    return group;
  }

  private ChildRank spawn(int number, String extra) throws IOException {
    String own =
        """
        jaccl4j.group.rank = %d
        jaccl4j.memory.shm-directory = "%s"
        %s
        %s
        """
            .formatted(number, shmDirectory, placement.config(number), extra);
    Path log = logDirectory.resolve("rank-%d-%d.log".formatted(number, ever.size()));
    ChildRank child = ChildRank.start(number, placement.prefix(number), config.text() + own, log);
    ever.add(child);
    return child;
  }

  /** A fresh process in the place of one that is stopped; up when this returns. */
  ChildRank replace(ChildRank stopped) throws IOException {
    ChildRank fresh = spawn(stopped.number(), "");
    admit(List.of(fresh), without(stopped).getFirst());
    return fresh;
  }

  /** Starts everyone again who has ended or was downed, on the same port. */
  void revive() throws IOException {
    current.stream().filter(ChildRank::isAlive).filter(ChildRank::isDowned).forEach(this::end);
    List<ChildRank> gone = current.stream().filter(child -> !child.isAlive()).toList();
    if (gone.isEmpty()) {
      return;
    }
    ChildRank seed = current.stream().filter(ChildRank::isAlive).findFirst().orElseThrow();
    List<ChildRank> fresh = new ArrayList<>();
    for (ChildRank child : gone) {
      String port = "pekko.remote.artery.canonical.port = " + child.port();
      fresh.add(spawn(child.number(), port));
    }
    admit(fresh, seed);
  }

  private void end(ChildRank downed) {
    LOG.info("{} was downed: {}", downed, downed.log());
    downed.kill();
    downed.awaitExit(PATIENCE);
  }

  private void admit(List<ChildRank> fresh, ChildRank seed) {
    fresh.forEach(child -> current.set(child.number(), child));
    run(fresh, "cluster " + seed.address());
    awaitUp();
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

  /**
   * The first processes join a group; returns its epoch.
   *
   * @param overrides what differs from the configuration, as {@code key=value}
   */
  long join(String name, int size, String... overrides) {
    String command = "join %s %d %s".formatted(name, size, String.join(" ", overrides)).strip();
    List<Answer> answers = run(current.subList(0, size), command);
    long epoch = answers.getFirst().number("epoch");
    for (int number = 0; number < size; number++) {
      assertThat(answers.get(number).number("rank")).isEqualTo(number);
      assertThat(answers.get(number).number("epoch")).isEqualTo(epoch);
    }
    return epoch;
  }

  private void awaitUp() {
    for (ChildRank child : current) {
      await("all up, as seen by " + child)
          .atMost(PATIENCE)
          .pollInterval(Duration.ofMillis(50))
          .until(() -> child.state().number("up") == current.size());
    }
  }

  /** Adds what the processes logged to a failure. */
  void attachLogs(Throwable failure) {
    for (ChildRank child : ever) {
      failure.addSuppressed(
          new AssertionError("log of %s:%n%s".formatted(child, String.join("\n", child.log()))));
    }
  }

  /** What is in the directory for shared memory. */
  List<Path> sharedFiles() throws IOException {
    try (Stream<Path> files = Files.list(shmDirectory)) {
      return files.toList();
    }
  }

  @Override
  public void close() {
    ever.forEach(ChildRank::kill);
    ever.forEach(child -> child.awaitExit(PATIENCE));
    placement.close();
    try {
      List<Path> left = sharedFiles();
      delete(shmDirectory);
      delete(logDirectory);
      assertThat(left).as("files left in shared memory").isEmpty();
    } catch (IOException e) {
      throw new AssertionError("cannot remove the directories of this test", e);
    }
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(directory);
  }
}
