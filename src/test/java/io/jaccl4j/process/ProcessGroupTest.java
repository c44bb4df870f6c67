package io.jaccl4j.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranks that are processes of one cluster. */
class ProcessGroupTest {
  /** Failure detector, its reaper and heartbeat intervals, this library's own patience, slack. */
  private static final Duration LOSS_LIMIT =
      ProcessGroup.HEARTBEAT_PAUSE
          .plus(ProcessGroup.UNREACHABLE_TIMEOUT)
          .plus(Duration.ofSeconds(4));

  private Path shmDirectory;

  @BeforeEach
  void makeDirectory() throws IOException {
    shmDirectory = Files.createTempDirectory(Path.of("/dev/shm"), "process-test");
  }

  @AfterEach
  void shouldLeaveNoFileBehind() throws IOException {
    try (Stream<Path> left = Files.list(shmDirectory)) {
      assertThat(left).isEmpty();
    }
    Files.delete(shmDirectory);
  }

  private ProcessGroup start(String name, int size, Duration heartbeatPause)
      throws IOException, InterruptedException {
    return ProcessGroup.start(name, size, shmDirectory, heartbeatPause);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void shouldRunEveryOperation(int size) throws Exception {
    try (ProcessGroup group = start("sweep", size, ProcessGroup.LONG_HEARTBEAT_PAUSE)) {
      for (ProcessGroup.Rank rank : group.all()) {
        rank.tell("sweep");
      }
      for (ProcessGroup.Rank rank : group.all()) {
        assertThat(rank.answer("sweep")).matches("ok \\d{3,}");
      }
      for (ProcessGroup.Rank rank : group.all()) {
        rank.tell("close");
      }
      for (ProcessGroup.Rank rank : group.all()) {
        assertThat(rank.answer("terminated")).startsWith("ok");
        rank.answer("closed");
      }
    }
  }

  @Test
  void shouldFailEveryOtherRankWhenOneIsKilledInMidOperation() throws Exception {
    try (ProcessGroup group = start("kill", 3, ProcessGroup.HEARTBEAT_PAUSE)) {
      ProcessGroup.Rank victim = group.rank(1);
      List<ProcessGroup.Rank> others = List.of(group.rank(0), group.rank(2));
      for (ProcessGroup.Rank rank : others) {
        rank.tell("allsum 1000003");
      }
      long killedNanos = System.nanoTime();
      victim.kill();
      for (ProcessGroup.Rank rank : others) {
        List<String> answers =
            List.of(
                rank.nextAnswer(LOSS_LIMIT).orElseThrow(),
                rank.nextAnswer(LOSS_LIMIT).orElseThrow());
        long tookMillis = (System.nanoTime() - killedNanos) / 1_000_000;
        System.out.println("rank " + rank.rank() + " failed " + tookMillis + " ms after the kill");
        assertThat(tookMillis).isLessThan(LOSS_LIMIT.toMillis());
        assertThat(answers)
            .anySatisfy(
                answer ->
                    assertThat(answer)
                        .startsWith("allsum failed PeerLostException allSum #0 failed")
                        .contains("rank 1")
                        .contains(victim.address()))
            .anySatisfy(
                answer -> assertThat(answer).startsWith("terminated failed PeerLostException"));
        rank.tell("allsum 3");
        assertThat(rank.answer("allsum")).startsWith("failed PeerLostException allSum #");
      }
    }
  }

  @Test
  void shouldFailIdleRanksWhenOneIsKilled() throws Exception {
    try (ProcessGroup group = start("idle", 2, ProcessGroup.HEARTBEAT_PAUSE)) {
      ProcessGroup.Rank victim = group.rank(0);
      victim.kill();
      assertThat(group.rank(1).answer("terminated"))
          .startsWith("failed PeerLostException")
          .contains(victim.address());
    }
  }

  @Test
  void shouldGoOnWhenARankWasStoppedForAWhile() throws Exception {
    try (ProcessGroup group = start("stop", 3, ProcessGroup.HEARTBEAT_PAUSE)) {
      ProcessGroup.Rank sleeper = group.rank(2);
      sleeper.signal("STOP");
      group.rank(0).tell("allsum 1000003");
      group.rank(1).tell("allsum 1000003");
      // Stopped for as long as nothing comes within a second: the answer can only follow.
      assertThat(group.rank(0).nextAnswer(Duration.ofSeconds(1))).as("rank 2 is stopped").isEmpty();
      sleeper.signal("CONT");
      sleeper.tell("allsum 1000003");
      for (ProcessGroup.Rank rank : group.all()) {
        assertThat(rank.answer("allsum")).isEqualTo("ok 6");
      }
    }
  }

  @Test
  void shouldEndAtOnceWhenTerminatedInMidOperationAndTellItsPeers() throws Exception {
    try (ProcessGroup group = start("term", 2, ProcessGroup.HEARTBEAT_PAUSE)) {
      group.rank(0).tell("allsum 1000003");
      group.rank(0).terminate();
      assertThat(group.rank(0).endsWithin(Duration.ofSeconds(15))).isTrue();
      group.rank(1).tell("allsum 1000003");
      assertThat(group.rank(1).answer("allsum"))
          .startsWith("failed PeerLostException")
          .contains(group.rank(0).address());
    }
  }
}
