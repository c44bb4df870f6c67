package io.jaccl4j.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What this process has more of than at an earlier moment. */
final class Leftovers {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
  private static final Path MAPPINGS = Path.of("/proc/self/maps");

  /** Threads of the JDK and of JUnit that stay for a while, or for good, once they are needed. */
  private static final Pattern NOT_OURS =
      Pattern.compile(
          "ForkJoinPool\\.commonPool.*|CompletableFutureDelayScheduler|Common-Cleaner|Cleaner-\\d+"
              + "|process reaper.*|VirtualThread-un.*|ForkJoinPool-\\d+-worker-\\d+|Read-Poller|Write-Poller"
              + "|Attach Listener|Signal Dispatcher"
              + "|junit-jupiter-timeout-watcher");

  private final Path shmDirectory;
  private final Set<Thread> threads;
  private final int sockets;
  private final Set<Path> temporaryFiles;

  private Leftovers(Path shmDirectory) {
    this.shmDirectory = shmDirectory;
    this.threads = new HashSet<>(Thread.getAllStackTraces().keySet());
    this.sockets = openSockets();
    this.temporaryFiles = ourTemporaryFiles();
  }

  /**
   * Since now.
   *
   * @param shmDirectory where groups have their files
   */
  static Leftovers since(Path shmDirectory) {
    return new Leftovers(shmDirectory);
  }

  /** There is nothing more than there was, after a moment for threads that are on their way out. */
  void assertNone(String when) {
    await(when)
        .atMost(PATIENCE)
        .pollInSameThread()
        .pollInterval(Duration.ofMillis(20))
        .untilAsserted(
            () -> {
              assertThat(newThreads()).as("threads left: %s", when).isEmpty();
              assertThat(list(shmDirectory)).as("files left: %s", when).isEmpty();
              assertThat(ourTemporaryFiles())
                  .as("temporary files: %s", when)
                  .isEqualTo(temporaryFiles);
              assertThat(openFiles()).as("files open: %s", when).isEmpty();
              assertThat(mappings()).as("mapped: %s", when).isEmpty();
              assertThat(openSockets()).as("sockets: %s", when).isLessThanOrEqualTo(sockets);
            });
  }

  private List<String> newThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> !threads.contains(thread))
        .map(Thread::getName)
        .filter(name -> !NOT_OURS.matcher(name).matches())
        .sorted()
        .toList();
  }

  /** Descriptors on files of the groups, which have no name any more. */
  private List<String> openFiles() {
    return targets().stream().filter(target -> target.startsWith(shmDirectory.toString())).toList();
  }

  private static int openSockets() {
    return (int) targets().stream().filter(target -> target.startsWith("socket:")).count();
  }

  private static List<String> targets() {
    List<String> targets = new ArrayList<>();
    for (Path descriptor : list(DESCRIPTORS)) {
      try {
        targets.add(Files.readSymbolicLink(descriptor).toString());
      } catch (IOException e) {
        // Closed since it was listed, as the listing's own descriptor is.
      }
    }
    return targets;
  }

  private List<String> mappings() {
    try (Stream<String> lines = Files.lines(MAPPINGS)) {
      return lines.filter(line -> line.contains(shmDirectory.toString())).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Set<Path> ourTemporaryFiles() {
    return Stream.of(Path.of(System.getProperty("java.io.tmpdir")), Path.of("/dev/shm"))
        .flatMap(directory -> list(directory).stream())
        .filter(path -> path.getFileName().toString().matches("\\.?jaccl4j-hygiene.*"))
        .collect(Collectors.toSet());
  }

  private static List<Path> list(Path directory) {
    try (Stream<Path> files = Files.list(directory)) {
      return files.toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
