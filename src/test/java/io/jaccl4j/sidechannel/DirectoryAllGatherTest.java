package io.jaccl4j.sidechannel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.jaccl4j.AllGather;
import io.jaccl4j.FormationException;
import io.jaccl4j.FormationException.Reason;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class DirectoryAllGatherTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Duration SHORT = Duration.ofMillis(200);
  private static final long ROUND_NANOS = PATIENCE.toNanos();

  private final ConcurrentRanks ranks = new ConcurrentRanks();

  @TempDir Path directory;

  @AfterEach
  void end() {
    ranks.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5})
  void shouldGatherContributionsOfAnyLength(int size) throws Exception {
    AllGather.Factory factory =
        DirectoryAllGather.factory(directory.resolve("new/group"), PATIENCE);
    List<List<String>> seen =
        ranks.all(
            size,
            rank -> {
              try (AllGather channel = factory.open(rank, size)) {
                List<String> texts = new ArrayList<>();
                for (int round = 0; round < 4; round++) {
                  String own = (rank + "x").repeat(round * rank);
                  channel
                      .allGather(own.getBytes(StandardCharsets.UTF_8), ROUND_NANOS)
                      .forEach(one -> texts.add(new String(one, StandardCharsets.UTF_8)));
                }
                return texts;
              }
            });
    List<String> expected = new ArrayList<>();
    for (int round = 0; round < 4; round++) {
      for (int rank = 0; rank < size; rank++) {
        expected.add((rank + "x").repeat(round * rank));
      }
    }
    assertThat(seen).containsOnly(expected);
  }

  /** Every file of the runs before lies there, and none of it is believed. */
  @Test
  void shouldNotBelieveFilesOfDeadRuns() throws Exception {
    Path leftovers = Files.createDirectory(directory.resolve("copy"));
    Path group = directory.resolve("group");
    assertThat(run(group, 3, "dead")).containsOnly("dead0 dead1 dead2");
    copy(group, leftovers);

    for (String name : List.of("second", "third")) {
      // The other ranks come first and find nothing but what the dead left.
      Future<String> first = ranks.start(() -> gatherOnce(group, 1, 3, name));
      Future<String> second = ranks.start(() -> gatherOnce(group, 2, 3, name));
      Path hello = group.resolve("hello-1");
      byte[] before = Files.readAllBytes(leftovers.resolve("hello-1"));
      await().atMost(PATIENCE).until(() -> !Arrays.equals(before, Files.readAllBytes(hello)));
      assertThat(first.isDone()).isFalse();
      assertThat(second.isDone()).isFalse();
      String zero = gatherOnce(group, 0, 3, name);

      assertThat(zero).isEqualTo("%s0 %s1 %s2".formatted(name, name, name));
      assertThat(ConcurrentRanks.get(first)).isEqualTo(zero);
      assertThat(ConcurrentRanks.get(second)).isEqualTo(zero);
      copy(group, leftovers);
    }
    assertThat(group.toFile().list((_, name) -> name.startsWith("run-")))
        .as("dead runs are removed")
        .hasSize(1);
  }

  @Test
  void shouldNotStartWithLeftoversAlone() throws Exception {
    assertThat(run(directory, 2, "dead")).containsOnly("dead0 dead1");

    assertFails(
        () -> open(1, 2, SHORT),
        Reason.TIMEOUT,
        "rank 1 of 2: shared directory, agree on a run: the run of rank 0 did not start with this"
            + " process",
        "its file is one of a dead run");
    assertFails(() -> open(0, 2, SHORT), Reason.TIMEOUT, "ranks [1] wrote nothing in " + directory);
  }

  @Test
  void shouldLeaveOtherFilesAlone() throws Exception {
    Path other = Files.createDirectory(directory.resolve("run-of-the-mill"));
    Path file = Files.writeString(other.resolve("notes"), "mine");

    assertThat(run(directory, 2, "x")).containsOnly("x0 x1");
    assertThat(file).hasContent("mine");
  }

  @Test
  void shouldIgnoreFilesThatAreNotWhole() throws Exception {
    Future<String> first = ranks.start(() -> gatherOnce(directory, 1, 2, "y"));
    for (String name : List.of("run", "hello-1", "start")) {
      Files.write(directory.resolve(name), new byte[] {'J', '4', 'J', 'D', 9, 0, 0, 0, 1});
    }

    assertThat(gatherOnce(directory, 0, 2, "y")).isEqualTo("y0 y1");
    assertThat(ConcurrentRanks.get(first)).isEqualTo("y0 y1");
  }

  @Test
  void shouldTellAPartOfAFileFromTheWhole() throws IOException {
    Path file = directory.resolve("file");
    SharedFile.write(file, "me", new byte[] {1, 2, 3});
    byte[] whole = Files.readAllBytes(file);

    assertThat(SharedFile.read(file)).hasValue(new byte[] {1, 2, 3});
    for (int length = 0; length < whole.length; length++) {
      Files.write(file, Arrays.copyOf(whole, length));
      assertThat(SharedFile.read(file)).as("%d bytes", length).isEmpty();
    }
    for (int broken = 0; broken < whole.length; broken++) {
      byte[] other = whole.clone();
      other[broken] ^= 1;
      Files.write(file, other);
      assertThat(SharedFile.read(file)).as("byte %d", broken).isEmpty();
    }
    assertThat(SharedFile.read(directory.resolve("none"))).isEmpty();
    assertThat(directory.toFile().list()).containsExactly("file");
  }

  @Test
  void shouldNameTheRanksThatDoNotContribute() throws Exception {
    Future<DirectoryAllGather> first = ranks.start(() -> open(1, 3, PATIENCE));
    Future<DirectoryAllGather> second = ranks.start(() -> open(2, 3, PATIENCE));
    try (DirectoryAllGather zero = open(0, 3, PATIENCE)) {
      Future<List<byte[]>> call =
          ranks.start(() -> ConcurrentRanks.get(first).allGather(new byte[1], SHORT.toNanos()));
      assertFails(
          () -> zero.allGather(new byte[1], SHORT.toNanos()),
          Reason.TIMEOUT,
          "rank 0 of 3: shared directory, gather 0: ranks [2] wrote nothing in " + directory);
      assertFails(() -> ConcurrentRanks.get(call), Reason.TIMEOUT, "ranks [2] wrote nothing");
      assertFails(
          () -> zero.allGather(new byte[1], ROUND_NANOS), Reason.TIMEOUT, "ranks [2] wrote");
      ConcurrentRanks.get(second).close();
    }
  }

  @Test
  void shouldKeepOneDeadlineOverAllGathers() throws Exception {
    AtomicLong nowNanos = new AtomicLong();
    Future<DirectoryAllGather> other = ranks.start(() -> open(1, 2, PATIENCE));
    try (DirectoryAllGather zero =
            DirectoryAllGather.open(directory, 0, 2, Duration.ofSeconds(30), nowNanos::get);
        DirectoryAllGather one = ConcurrentRanks.get(other)) {
      Future<List<byte[]>> call = ranks.start(() -> one.allGather(new byte[1], ROUND_NANOS));
      assertThat(zero.allGather(new byte[1], ROUND_NANOS)).hasSize(2);
      ConcurrentRanks.get(call);
      nowNanos.set(Duration.ofSeconds(31).toNanos());
      assertFails(
          () -> zero.allGather(new byte[1], Duration.ofHours(1).toNanos()),
          Reason.TIMEOUT,
          "rank 0 of 2: shared directory, gather 1: ranks [1] wrote nothing");
    }
  }

  @Test
  void shouldKeepOnlyFilesThatSomebodyMayHaveToRead() throws Exception {
    List<Boolean> done =
        ranks.all(
            2,
            rank -> {
              try (DirectoryAllGather channel = open(rank, 2, PATIENCE)) {
                for (int round = 0; round < 20; round++) {
                  channel.allGather(new byte[100], ROUND_NANOS);
                }
                return true;
              }
            });
    assertThat(done).containsOnly(true);
    File[] runs = runs();
    assertThat(runs).hasSize(1);
    assertThat(runs[0].list()).containsExactlyInAnyOrder("round-19-rank-0", "round-19-rank-1");
  }

  @Test
  void shouldRefuseAGroupOfAnotherSize() throws Exception {
    Future<DirectoryAllGather> first = ranks.start(() -> open(1, 3, PATIENCE));

    assertFails(
        () -> open(0, 2, PATIENCE),
        Reason.SETTINGS_DIFFER,
        "rank 1 is of a group of 3 ranks, this one of 2");
    first.cancel(true);
  }

  @Test
  void shouldNoticeAnotherRankZero() throws Exception {
    Future<DirectoryAllGather> older = ranks.start(() -> open(0, 2, PATIENCE));
    await().atMost(PATIENCE).until(() -> Files.exists(directory.resolve("run")));
    Future<DirectoryAllGather> newer = ranks.start(() -> open(0, 2, PATIENCE));

    assertFails(
        () -> ConcurrentRanks.get(older), Reason.RANK_CONFLICT, "another rank 0 uses " + directory);
    Future<DirectoryAllGather> first = ranks.start(() -> open(1, 2, PATIENCE));
    ConcurrentRanks.get(newer).close();
    ConcurrentRanks.get(first).close();
  }

  @Test
  void shouldTakeOneOfTwoEqualRanks() throws Exception {
    AtomicLong nowNanos = new AtomicLong();
    Callable<DirectoryAllGather> rankOne =
        () -> DirectoryAllGather.open(directory, 1, 2, Duration.ofHours(1), nowNanos::get);
    Future<DirectoryAllGather> one = ranks.start(rankOne);
    Future<DirectoryAllGather> two = ranks.start(rankOne);
    open(0, 2, PATIENCE).close();
    // Again and again: a rank's time begins when its thread does.
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              nowNanos.addAndGet(Duration.ofHours(2).toNanos());
              return one.isDone() && two.isDone();
            });

    int taken = 0;
    for (Future<DirectoryAllGather> future : List.of(one, two)) {
      try {
        ConcurrentRanks.get(future).close();
        taken++;
      } catch (FormationException e) {
        assertThat(e).hasMessageContaining("another process is rank 1");
      }
    }
    assertThat(taken).isOne();
  }

  @Test
  void shouldSayThatTheDirectoryCannotBeUsed() throws IOException {
    Path file = Files.writeString(directory.resolve("file"), "");

    assertFails(
        () -> DirectoryAllGather.open(file.resolve("below"), 0, 1, PATIENCE, System::nanoTime),
        Reason.FABRIC,
        file.resolve("below") + " cannot be used: ",
        "it must be a directory that every rank can write");
    try (DirectoryAllGather channel = open(0, 1, PATIENCE)) {
      for (File run : runs()) {
        assertThat(run.delete()).isTrue();
      }
      assertFails(
          () -> channel.allGather(new byte[1], ROUND_NANOS), Reason.FABRIC, "cannot be used");
    }
  }

  @Test
  void shouldEndACallUnderWayWhenClosed() throws Exception {
    Future<DirectoryAllGather> first = ranks.start(() -> open(1, 2, PATIENCE));
    DirectoryAllGather zero = open(0, 2, PATIENCE);
    Future<List<byte[]>> call = ranks.start(() -> zero.allGather(new byte[1], PATIENCE.toNanos()));
    zero.close();

    assertFails(
        () -> ConcurrentRanks.get(call), Reason.STOPPED, "the channel was closed on this rank");
    ConcurrentRanks.get(first).close();
  }

  @Test
  void shouldEndWhenItsThreadIsInterrupted() {
    Thread.currentThread().interrupt();
    try {
      assertFails(() -> open(1, 2, PATIENCE), Reason.STOPPED, "the thread was interrupted");
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void shouldRefuseRankOutOfRange() {
    assertFails(() -> open(2, 2, PATIENCE), Reason.RANK_CONFLICT, "rank is 2 of 2, want 0 to 1");
  }

  private File[] runs() {
    return directory.toFile().listFiles((_, name) -> name.startsWith("run-"));
  }

  private List<String> run(Path group, int size, String name) throws Exception {
    return ranks.all(size, rank -> gatherOnce(group, rank, size, name));
  }

  private static String gatherOnce(Path group, int rank, int size, String name) {
    try (DirectoryAllGather channel =
        DirectoryAllGather.open(group, rank, size, PATIENCE, System::nanoTime)) {
      byte[] own = (name + rank).getBytes(StandardCharsets.UTF_8);
      return String.join(
          " ",
          channel.allGather(own, ROUND_NANOS).stream()
              .map(one -> new String(one, StandardCharsets.UTF_8))
              .toList());
    }
  }

  private DirectoryAllGather open(int rank, int size, Duration timeout) {
    return DirectoryAllGather.open(directory, rank, size, timeout, System::nanoTime);
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.walkFileTree(
        from,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Path target = to.resolve(from.relativize(file));
            Files.createDirectories(target.getParent());
            Files.write(target, Files.readAllBytes(file));
            return FileVisitResult.CONTINUE;
          }
        });
  }

  private static void assertFails(ThrowingCallable call, Reason reason, String... complaints) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            FormationException.class, e -> assertThat(e.reason()).as("%s", e).isEqualTo(reason))
        .hasMessageContainingAll(complaints);
  }
}
