package io.jaccl4j.collective;

import static org.assertj.core.api.Assertions.assertThat;

import io.jaccl4j.Dtype;
import io.jaccl4j.GroupSettings;
import io.jaccl4j.Session;
import io.jaccl4j.engine.NanoClock;
import io.jaccl4j.testing.TestSettings;
import io.jaccl4j.testing.emulated.EmulatedRanks;
import io.jaccl4j.testing.emulated.LinkSchedule;
import io.jaccl4j.testing.emulated.MessageRuns;
import io.jaccl4j.testing.emulated.NetworkLog;
import io.jaccl4j.testing.emulated.NetworkScript;
import io.jaccl4j.testing.emulated.RecordedPost;
import io.jaccl4j.testing.emulated.WorkKind;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The messages that are on the wire: counts, lengths, order. */
class MeshScheduleTest {
  private static final long[] COUNTS = {0, 1, 2, 3, 8192, 8193, 50_000, 300_007, 1_000_003};

  private static EmulatedRanks form(int size) {
    return form(size, NetworkScript.faultless());
  }

  private static EmulatedRanks form(int size, NetworkScript script) {
    GroupSettings settings = TestSettings.of("schedule", size);
    GroupSettings.Memory memory =
        new GroupSettings.Memory(512 << 10, 1 << 20, settings.memory().shmDirectory());
    return EmulatedRanks.form(settings.withMemory(memory), script, NanoClock.SYSTEM);
  }

  private static void check(
      EmulatedRanks ranks, LinkSchedule expected, String what, Consumer<Session> operation) {
    ranks.network().log().clear();
    ranks.runOnAll(operation);
    try {
      expected.check(ranks.network().log());
    } catch (AssertionError e) {
      throw new AssertionError(what + ": " + e.getMessage(), e);
    }
  }

  /** The measured schedules of JACCL: first that the rules in this test are the right ones. */
  @ParameterizedTest
  @CsvSource({
    "1, 1×4K, 1×4K, 1×4K",
    "8192, 1×32K, 1×32K, 1×32K",
    "8193, 2×32K, 4×8K, 2×8K+1×4K",
    "50000, 2×128K, 4×64K+1×4K, 4×32K",
    "1000003, 8×512K, 6×512K+1×4K, 4×512K+1×4K"
  })
  void shouldExpectWhatJacclWasSeenToSend(long count, String two, String three, String four) {
    List<String> columns = List.of(two, three, four);
    for (int size = 2; size <= 4; size++) {
      assertThat(new JacclMesh(size, true).allReduce(count, 4))
          .isEqualTo(MessageRuns.parse(columns.get(size - 2)));
      assertThat(new JacclMesh(size, true).transfer(200_000))
          .isEqualTo(MessageRuns.parse("2×128K"));
      assertThat(new JacclMesh(size, true).barrier()).isEqualTo(MessageRuns.parse("1×4K"));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4})
  void shouldSendPayloadsAlongTheScheduleOfJaccl(int size) {
    JacclMesh jaccl = new JacclMesh(size, false);
    try (EmulatedRanks ranks = form(size);
        Arena arena = Arena.ofShared()) {
      for (long count : COUNTS) {
        check(
            ranks,
            jaccl.everywhere(jaccl.allReduce(count, 4)),
            "allSum x" + count,
            session ->
                session.allSum(
                    arena.allocate(4 * count), arena.allocate(4 * count), Dtype.FLOAT32));
        check(
            ranks,
            jaccl.everywhere(jaccl.transfer(2 * count)),
            "sumScatter x" + count,
            session ->
                session.sumScatter(
                    arena.allocate(2 * count * size), arena.allocate(2 * count), Dtype.BFLOAT16));
        check(
            ranks,
            jaccl.everywhere(jaccl.transfer(count)),
            "allGather x" + count,
            session -> session.allGather(arena.allocate(count), arena.allocate(count * size)));
        check(
            ranks,
            jaccl.upwards(0, size - 1, jaccl.transfer(count)),
            "send x" + count,
            session -> {
              if (session.rank() == 0) {
                session.send(arena.allocate(count), size - 1);
              } else if (session.rank() == size - 1) {
                session.recv(arena.allocate(count), 0);
              }
            });
      }
      check(ranks, jaccl.everywhere(jaccl.barrier()), "barrier", Session::barrier);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4})
  void shouldPostOneReceiveForEveryMessage(int size) {
    try (EmulatedRanks ranks = form(size);
        Arena arena = Arena.ofShared()) {
      NetworkLog log = ranks.network().log();
      for (long count : COUNTS) {
        log.clear();
        ranks.runOnAll(
            session ->
                session.allSum(
                    arena.allocate(4 * count), arena.allocate(4 * count), Dtype.FLOAT32));
        long perLink = new JacclMesh(size, false).allReduce(count, 4).count();
        for (int rank = 0; rank < size; rank++) {
          assertThat(log.posts(rank, WorkKind.RECEIVE)).isEqualTo((size - 1) * perLink);
          assertThat(log.posts(rank, WorkKind.SEND)).isEqualTo((size - 1) * perLink);
        }
      }
    }
  }

  /** The rounds are written out: what rank 0 sends, and to whom. */
  @ParameterizedTest
  @CsvSource({
    "4, 3:1 2:2",
    "5, 4:1 3:2 1:1",
    "6, 5:1 4:2 2:2",
    "7, 6:1 5:2 3:3",
    "8, 7:1 6:2 4:4",
    "9, 8:1 7:2 5:4 1:1"
  })
  void shouldPassBlocksOnWhereMessagesCostMoreThanTheirWay(int size, String rounds) {
    int bytes = 12;
    try (EmulatedRanks ranks = form(size, NetworkScript.faultless().preferringFewMessages());
        Arena arena = Arena.ofShared()) {
      NetworkLog log = ranks.network().log();
      checkRounds(
          ranks,
          log,
          rounds,
          bytes,
          session -> session.allSum(arena.allocate(bytes), arena.allocate(bytes), Dtype.FLOAT32));
      checkRounds(
          ranks,
          log,
          rounds,
          bytes,
          session -> session.allGather(arena.allocate(bytes), arena.allocate(bytes * size)));
      checkRounds(ranks, log, rounds, 1, Session::barrier);
    }
  }

  private static void checkRounds(
      EmulatedRanks ranks,
      NetworkLog log,
      String rounds,
      int blockBytes,
      Consumer<Session> operation) {
    int size = ranks.ranks().all().size();
    log.clear();
    ranks.runOnAll(operation);
    for (int rank = 0; rank < size; rank++) {
      int from = rank;
      List<String> want =
          Stream.of(rounds.split(" "))
              .map(round -> round.split(":"))
              .map(
                  round ->
                      "send "
                          + Integer.parseInt(round[1]) * blockBytes
                          + " on wire "
                          + MeshAlgorithms.wire(
                              size, from, (from + Integer.parseInt(round[0])) % size)
                          + " with "
                          + (from + Integer.parseInt(round[0])) % size)
              .toList();
      assertThat(log.posts(rank).stream().map(RecordedPost::toString))
          .filteredOn(post -> post.startsWith("send"))
          .containsExactlyElementsOf(want);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 5, 8})
  void shouldSendLargeBuffersAlongTheUsualScheduleWhereMessagesCostMoreThanTheirWay(int size) {
    JacclMesh jaccl = new JacclMesh(size, false);
    long count = 8 * 50_000L;
    try (EmulatedRanks ranks = form(size, NetworkScript.faultless().preferringFewMessages());
        Arena arena = Arena.ofShared()) {
      check(
          ranks,
          jaccl.everywhere(jaccl.allReduce(count, 4)),
          "allSum x" + count,
          session ->
              session.allSum(arena.allocate(4 * count), arena.allocate(4 * count), Dtype.FLOAT32));
    }
  }

  @Test
  void shouldPostReceivesOfAGatherBeforeItsSends() {
    try (EmulatedRanks ranks = form(3);
        Arena arena = Arena.ofShared()) {
      ranks.runOnAll(session -> session.allGather(arena.allocate(100), arena.allocate(300)));
      assertThat(ranks.network().log().posts(1).stream().map(RecordedPost::toString))
          .containsExactly(
              "receive 4096 on wire 0 with 0",
              "receive 4096 on wire 2 with 2",
              "send 100 on wire 0 with 0",
              "send 100 on wire 2 with 2");
    }
  }
}
