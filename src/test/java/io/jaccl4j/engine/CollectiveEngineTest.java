package io.jaccl4j.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.jaccl4j.Dtype;
import io.jaccl4j.FormationException;
import io.jaccl4j.Group;
import io.jaccl4j.GroupClosedException;
import io.jaccl4j.GroupEvent;
import io.jaccl4j.GroupFailure;
import io.jaccl4j.GroupHealth;
import io.jaccl4j.GroupMember;
import io.jaccl4j.GroupSettings;
import io.jaccl4j.OperationMismatchException;
import io.jaccl4j.OperationTimeoutException;
import io.jaccl4j.PeerLostException;
import io.jaccl4j.QueueFullException;
import io.jaccl4j.fabric.FabricException;
import io.jaccl4j.fabric.FabricProvider;
import io.jaccl4j.fabric.shm.ShmFabricProvider;
import io.jaccl4j.sidechannel.MemoryAllGather;
import io.jaccl4j.testing.ForwardingProvider;
import io.jaccl4j.testing.LocalRanks;
import io.jaccl4j.testing.ShiftedClock;
import io.jaccl4j.testing.TestSettings;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Order, deadlines, failures and the end of groups. */
class CollectiveEngineTest {
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;

  private static GroupFailure lost(int rank) {
    return new GroupFailure(
        GroupFailure.Kind.PEER_LOST,
        rank,
        "test://host:" + (9000 + rank),
        0,
        "rank " + rank + " (test://host:" + (9000 + rank) + ") was downed");
  }

  private static void awaitEngineThreads(String group, int want) {
    await()
        .atMost(Duration.ofSeconds(10))
        .until(
            () ->
                Thread.getAllStackTraces().keySet().stream()
                        .filter(thread -> thread.getName().startsWith("jaccl-" + group + "-"))
                        .count()
                    == want);
  }

  @Test
  void shouldBeAliveUntilItsThreadDies() {
    try (LocalRanks ranks = LocalRanks.form(TestSettings.of("alive", 2))) {
      assertThat(ranks.rank(0).engine().alive()).isTrue();
      ranks.group(0).close();
      awaitEngineThreads("alive", 1);
      assertThat(ranks.rank(0).engine().alive()).as("ended in good order").isTrue();
    }
  }

  @Test
  void shouldNotBeAliveOnceItsThreadHasDiedOfAnError() {
    Error error = new AssertionError("the fabric's class is broken");
    FabricProvider broken = failing(error);
    List<Throwable> uncaught = new CopyOnWriteArrayList<>();
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> uncaught.add(thrown));
    try {
      // Not closed: there is no group, and no thread either.
      LocalRanks ranks = LocalRanks.start(TestSettings.of("dead", 2), broken, NanoClock.SYSTEM);
      assertThat(ranks.rank(0).formed()).failsWithin(Duration.ofSeconds(10));
      // Awaitility would fail the test with what a thread dies of.
      await()
          .dontCatchUncaughtExceptions()
          .atMost(Duration.ofSeconds(10))
          .until(() -> !ranks.rank(0).engine().alive() && !ranks.rank(1).engine().alive());
      assertThat(uncaught).containsExactly(error, error);
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(before);
    }
  }

  private static FabricProvider failing(Error error) {
    return (FabricProvider)
        Proxy.newProxyInstance(
            FabricProvider.class.getClassLoader(),
            new Class<?>[] {FabricProvider.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("name")) {
                return "shm";
              }
              throw error;
            });
  }

  @Test
  void shouldRunOperationsInSubmissionOrder() {
    int operations = 60;
    try (LocalRanks ranks = LocalRanks.form(TestSettings.of("order", 2))) {
      List<CompletableFuture<Void>> stages = new ArrayList<>();
      MemorySegment[] cells = new MemorySegment[2];
      for (int rank = 0; rank < 2; rank++) {
        Group group = ranks.group(rank);
        MemorySegment cell = group.allocate(4);
        cells[rank] = cell;
        cell.set(INT, 0, 1);
        // Doubles the same cell each time: any other order or a lost one shows in the result.
        for (int i = 0; i < operations / 2; i++) {
          stages.add(group.allSumAsync(cell, cell, Dtype.INT32).toCompletableFuture());
        }
      }
      stages.forEach(LocalRanks::get);
      assertThat(cells[0].get(INT, 0)).isEqualTo(1 << (operations / 2));
      assertThat(cells[1].get(INT, 0)).isEqualTo(1 << (operations / 2));
    }
  }

  @Test
  void shouldServeSeveralCallersAtOnce() throws InterruptedException {
    int callers = 4;
    int rounds = 200;
    try (LocalRanks ranks = LocalRanks.form(TestSettings.of("callers", 2))) {
      // The same operation from every caller: the ranks agree whatever the interleaving.
      List<Thread> threads = new ArrayList<>();
      List<Integer> wrong = new CopyOnWriteArrayList<>();
      for (int rank = 0; rank < 2; rank++) {
        Group group = ranks.group(rank);
        for (int caller = 0; caller < callers; caller++) {
          threads.add(
              Thread.ofPlatform()
                  .start(
                      () -> {
                        MemorySegment in = group.allocate(4);
                        MemorySegment out = group.allocate(4);
                        in.set(INT, 0, 21);
                        for (int i = 0; i < rounds; i++) {
                          group.allSum(in, out, Dtype.INT32);
                          if (out.get(INT, 0) != 42) {
                            wrong.add(out.get(INT, 0));
                          }
                        }
                      }));
        }
      }
      for (Thread thread : threads) {
        assertThat(thread.join(Duration.ofSeconds(60))).isTrue();
      }
      assertThat(wrong).isEmpty();
      assertThat(ranks.group(0).counters().operations()).isEqualTo((long) callers * rounds);
    }
  }

  @Test
  void shouldFailPendingAndLaterOperationsWhenAPeerIsLost() {
    try (LocalRanks ranks = LocalRanks.form(TestSettings.of("lost", 3))) {
      Group group = ranks.group(0);
      MemorySegment cell = group.allocate(4);
      CompletableFuture<Void> pending =
          group.allSumAsync(cell, cell, Dtype.INT32).toCompletableFuture();
      CompletableFuture<Void> queued = group.barrierAsync().toCompletableFuture();
      ranks.rank(0).engine().abort(lost(2));

      assertThatThrownBy(() -> LocalRanks.get(pending))
          .isInstanceOfSatisfying(
              PeerLostException.class,
              e -> {
                assertThat(e.rank()).isEqualTo(2);
                assertThat(e.address()).isEqualTo("test://host:9002");
              })
          .hasMessage("allSum #0 failed: rank 2 (test://host:9002) was downed");
      assertThatThrownBy(() -> LocalRanks.get(queued))
          .isInstanceOf(PeerLostException.class)
          .hasMessageContaining("barrier #");
      assertThatThrownBy(() -> group.allSum(cell, cell, Dtype.INT32))
          .isInstanceOf(PeerLostException.class);
      assertThat(group.health()).isEqualTo(GroupHealth.FAILED);
      assertThat(ranks.rank(0).terminated()).contains(lost(2));
      assertThatThrownBy(() -> LocalRanks.get(group.terminated().toCompletableFuture()))
          .isInstanceOf(PeerLostException.class);
    }
  }

  @Test
  void shouldFailWhileIdleWhenAPeerIsLost() {
    try (LocalRanks ranks = LocalRanks.form(TestSettings.of("idle", 2))) {
      ranks.rank(1).engine().abort(lost(0));
      assertThat(ranks.rank(1).terminated()).contains(lost(0));
      assertThat(ranks.group(1).health()).isEqualTo(GroupHealth.FAILED);
    }
  }

  @Test
  void shouldKeepTheFirstCause() {
    try (LocalRanks ranks = LocalRanks.form(TestSettings.of("first", 3))) {
      ranks.rank(0).engine().abort(lost(2));
      ranks.rank(0).engine().abort(lost(1));
      assertThat(ranks.group(0).failure()).contains(lost(2));
    }
  }

  @Test
  void shouldKeepAllocatedMemoryReadableAfterAFailureUntilClosed() {
    try (LocalRanks ranks = LocalRanks.form(TestSettings.of("memory", 2))) {
      MemorySegment cell = ranks.group(0).allocate(4);
      cell.set(INT, 0, 7);
      ranks.rank(0).engine().abort(lost(1));
      ranks.rank(0).terminated();
      assertThat(cell.get(INT, 0)).isEqualTo(7);
      ranks.group(0).close();
      assertThatThrownBy(() -> cell.get(INT, 0)).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void shouldTimeOutNamingTheAwaitedRank() {
    ShiftedClock clock = new ShiftedClock();
    GroupSettings settings = TestSettings.of("late", 3).withOperationTimeout(Duration.ofMinutes(5));
    try (LocalRanks ranks = LocalRanks.form(settings, clock)) {
      CompletableFuture<Void> first = ranks.group(0).barrierAsync().toCompletableFuture();
      CompletableFuture<Void> third = ranks.group(2).barrierAsync().toCompletableFuture();
      clock.forward(Duration.ofMinutes(4));
      await()
          .atMost(Duration.ofSeconds(10))
          .until(() -> ranks.rank(0).events().stream().anyMatch(this::isSlowRankOne));
      assertThat(first).isNotDone();
      clock.forward(Duration.ofMinutes(2));
      assertThatThrownBy(() -> LocalRanks.get(first))
          .isInstanceOf(OperationTimeoutException.class)
          .hasMessageContaining("barrier #0 on rank 0")
          .hasMessageContaining("rank 1 (test://host:9001)")
          .hasMessageContaining("300000 ms after submission");
      assertThatThrownBy(() -> LocalRanks.get(third)).isInstanceOf(OperationTimeoutException.class);
      assertThat(ranks.group(0).failure().orElseThrow().rank()).isEqualTo(1);
    }
  }

  private boolean isSlowRankOne(GroupEvent event) {
    return event instanceof GroupEvent.SlowPeer slow
        && slow.operation().equals("barrier")
        && slow.awaited().startsWith("rank 1 (test://host:9001)");
  }

  @Test
  void shouldNameBothOperationsWhenRanksDiffer() {
    record Difference(String name, Consumer<Group> first, String want, String got) {}
    List<Difference> differences =
        List.of(
            new Difference(
                "operation",
                group -> group.allMax(group.allocate(8), group.allocate(8), Dtype.INT32),
                "sent data of allSum int32 #0",
                "in allMax int32 #0"),
            new Difference(
                "dtype",
                group -> group.allSum(group.allocate(8), group.allocate(8), Dtype.FLOAT32),
                "allSum int32",
                "allSum float32"),
            new Difference(
                "length",
                group -> group.allSum(group.allocate(12), group.allocate(12), Dtype.INT32),
                "allSum int32",
                "allSum int32"),
            new Difference(
                "kind",
                group -> group.allGather(group.allocate(8), group.allocate(16)),
                "allSum int32",
                "allGather"),
            new Difference(
                "transfer", group -> group.recv(group.allocate(8), 1), "allSum", "send/recv"));
    for (Difference difference : differences) {
      try (LocalRanks ranks = LocalRanks.form(TestSettings.of("mismatch", 2))) {
        Group other = ranks.group(1);
        CompletableFuture<Void> otherSum =
            other
                .allSumAsync(other.allocate(8), other.allocate(8), Dtype.INT32)
                .toCompletableFuture();
        assertThatThrownBy(() -> difference.first().accept(ranks.group(0)))
            .as(difference.name())
            .isInstanceOf(OperationMismatchException.class)
            .hasMessageContaining(difference.want())
            .hasMessageContaining(difference.got());
        GroupFailure failure = ranks.group(0).failure().orElseThrow();
        assertThat(failure.rank()).isEqualTo(1);
        ranks.rank(1).engine().abort(failure);
        assertThatThrownBy(() -> LocalRanks.get(otherSum)).hasMessageContaining("allSum");
      }
    }
  }

  @Test
  void shouldFinishWhatADepartedPeerHadCompletedAndFailWhatFollows() {
    try (LocalRanks ranks = LocalRanks.form(TestSettings.of("left", 3))) {
      CompletableFuture<Void> second = ranks.group(1).barrierAsync().toCompletableFuture();
      ranks.rank(1).engine().peerLeft(0, 1);
      assertThat(second).as("rank 0 said that it has completed barrier #0").isNotDone();
      ranks.group(0).barrierAsync();
      ranks.group(2).barrier();
      LocalRanks.get(second);
      assertThatThrownBy(() -> ranks.group(1).barrier())
          .isInstanceOf(PeerLostException.class)
          .hasMessageContaining("rank 0 (test://host:9000) has left the group");
    }
  }

  @Test
  void shouldReceiveWhatADepartedPeerHadSent() {
    try (LocalRanks ranks = LocalRanks.form(TestSettings.of("parting", 2))) {
      MemorySegment gift = ranks.group(0).allocate(4);
      gift.set(INT, 0, 99);
      ranks.group(0).send(gift, 1);
      ranks.group(0).close();
      ranks.rank(1).engine().peerLeft(0, 0);
      MemorySegment got = ranks.group(1).allocate(4);
      ranks.group(1).recv(got, 0);
      assertThat(got.get(INT, 0)).isEqualTo(99);
      assertThatThrownBy(() -> ranks.group(1).recv(got, 0)).isInstanceOf(PeerLostException.class);
    }
  }

  @Test
  void shouldRefuseOperationsAfterClose() {
    LocalRanks ranks = LocalRanks.form(TestSettings.of("closed", 2));
    Group group = ranks.group(0);
    MemorySegment cell = group.allocate(4);
    ranks.close();
    group.close();
    assertThat(group.health()).isEqualTo(GroupHealth.CLOSED);
    assertThat(group.terminated().toCompletableFuture()).isCompleted();
    assertThatThrownBy(group::barrier)
        .isInstanceOf(GroupClosedException.class)
        .hasMessageContaining("group [closed] was closed");
    assertThatThrownBy(() -> group.allocate(8)).isInstanceOf(GroupClosedException.class);
    assertThatThrownBy(() -> cell.get(INT, 0)).isInstanceOf(IllegalStateException.class);
    assertThat(ranks.rank(0).terminated()).isEmpty();
    awaitEngineThreads("closed", 0);
  }

  @Test
  void shouldEndAnOperationUnderWayWhenClosed() {
    ShiftedClock clock = new ShiftedClock();
    try (LocalRanks ranks = LocalRanks.form(TestSettings.of("closing", 2), clock)) {
      CompletableFuture<Void> pending = ranks.group(0).barrierAsync().toCompletableFuture();
      ranks.rank(0).engine().close();
      await()
          .atMost(Duration.ofSeconds(10))
          .until(
              () -> {
                clock.forward(Duration.ofSeconds(1));
                return pending.isDone();
              });
      assertThatThrownBy(() -> LocalRanks.get(pending)).isInstanceOf(GroupClosedException.class);
    }
  }

  @Test
  void shouldLeaveTheGroupUsableWhenAFunctionThrows() {
    try (LocalRanks ranks = LocalRanks.form(TestSettings.of("throwing", 2))) {
      CompletableFuture<Integer> failed =
          ranks
              .group(0)
              .<Integer>run(
                  session -> {
                    throw new IllegalArgumentException("mine");
                  })
              .toCompletableFuture();
      assertThatThrownBy(() -> LocalRanks.get(failed)).hasMessage("mine");
      ranks.runOnAll(session -> session.barrier());
    }
  }

  @Test
  void shouldRefuseBlockingCallsOnTheEngineThread() {
    try (LocalRanks ranks = LocalRanks.form(TestSettings.of("inside", 2))) {
      Group group = ranks.group(0);
      assertThatThrownBy(
              () ->
                  LocalRanks.get(
                      group
                          .run(
                              session -> {
                                group.barrier();
                                return 0;
                              })
                          .toCompletableFuture()))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("use the session");
    }
  }

  @Test
  void shouldRefuseMoreOperationsThanTheQueueHolds() throws InterruptedException {
    try (LocalRanks ranks = LocalRanks.form(TestSettings.of("full", 2))) {
      Group group = ranks.group(0);
      CountDownLatch started = new CountDownLatch(1);
      CountDownLatch release = new CountDownLatch(1);
      group.run(
          session -> {
            started.countDown();
            return awaitLatch(release);
          });
      assertThat(started.await(10, TimeUnit.SECONDS)).isTrue();
      List<CompletableFuture<Void>> queued =
          Stream.generate(() -> group.barrierAsync().toCompletableFuture()).limit(64).toList();
      CompletableFuture<Void> over = group.barrierAsync().toCompletableFuture();
      assertThatThrownBy(() -> LocalRanks.get(over))
          .isInstanceOf(QueueFullException.class)
          .hasMessageContaining("jaccl4j.submission-queue-length");
      release.countDown();
      Group other = ranks.group(1);
      for (CompletableFuture<Void> one : queued) {
        other.barrier();
        LocalRanks.get(one);
      }
    }
  }

  private static boolean awaitLatch(CountDownLatch latch) {
    try {
      return latch.await(30, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void shouldWorkAlone() {
    try (LocalRanks ranks = LocalRanks.form(TestSettings.of("alone", 1))) {
      Group group = ranks.group(0);
      MemorySegment in = group.allocate(8);
      MemorySegment out = group.allocate(8);
      in.set(INT, 0, 5);
      group.allSum(in, out, Dtype.INT32);
      assertThat(out.get(INT, 0)).isEqualTo(5);
      group.allMin(in, in, Dtype.INT32);
      group.allGather(in, out.fill((byte) 0));
      assertThat(out.get(INT, 0)).isEqualTo(5);
      group.sumScatter(in, out.fill((byte) 0), Dtype.INT32);
      assertThat(out.get(INT, 0)).isEqualTo(5);
      group.barrier();
      assertThat(group.describe()).contains("alone");
    }
  }

  @Test
  void shouldTellAllRanksWhenOneCannotOpenItsLinks(@TempDir Path directory) throws IOException {
    GroupSettings settings =
        TestSettings.of("broken", 3, directory).withFormationTimeout(Duration.ofSeconds(20));
    try (LocalRanks ranks = LocalRanks.start(settings, brokenOn(1), NanoClock.SYSTEM)) {
      for (LocalRanks.Rank rank : ranks.all()) {
        assertThatThrownBy(() -> LocalRanks.get(rank.formed()))
            .isInstanceOf(FormationException.class)
            .hasMessage("rank 1 (test://host:9001) could not open links: no such device");
      }
      awaitEngineThreads("broken", 0);
    }
    try (Stream<Path> left = Files.list(directory)) {
      assertThat(left).as("files left behind").isEmpty();
    }
  }

  @Test
  void shouldEndFormationAtOnceWhenAPeerIsLost(@TempDir Path directory) throws IOException {
    GroupSettings settings = TestSettings.of("half", 2, directory);
    MemoryAllGather sideChannel = new MemoryAllGather();
    CompletableFuture<Optional<GroupFailure>> terminated = new CompletableFuture<>();
    CollectiveEngine engine =
        new CollectiveEngine(
            List.of(new ShmFabricProvider()),
            new EngineListener() {
              @Override
              public void onEvent(GroupEvent event) {}

              @Override
              public void onTerminated(Optional<GroupFailure> failure, long completed) {
                terminated.complete(failure);
              }
            },
            NanoClock.SYSTEM);
    CompletableFuture<Group> formed =
        engine
            .connect(
                new Formation(
                    1,
                    0,
                    List.of(
                        new GroupMember(0, "test://host:9000", 0, "host"),
                        new GroupMember(1, "test://host:9001", 1, "host")),
                    settings,
                    "shm",
                    sideChannel.open(0, 2),
                    LinkExchange.OWN,
                    Duration.ofMinutes(1).toNanos(),
                    0))
            .toCompletableFuture();
    engine.abort(lost(1));
    assertThatThrownBy(() -> LocalRanks.get(formed))
        .isInstanceOf(FormationException.class)
        .hasMessageContaining("rank 1 (test://host:9001) was downed");
    assertThat(terminated).as("the group never was ready").isNotDone();
    awaitEngineThreads("half", 0);
    try (Stream<Path> left = Files.list(directory)) {
      assertThat(left).isEmpty();
    }
  }

  /** Shared memory that one rank cannot open. */
  private static FabricProvider brokenOn(int rank) {
    FabricProvider shm = new ShmFabricProvider();
    return new ForwardingProvider(
        shm,
        request -> {
          if (request.rank() == rank) {
            throw new FabricException("no such device", null);
          }
          return shm.open(request);
        });
  }
}
