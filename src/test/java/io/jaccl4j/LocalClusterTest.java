package io.jaccl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class LocalClusterTest {
  private static final Duration OPERATION_TIMEOUT = Duration.ofSeconds(60);

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void shouldSumOverAllRanks(int size) {
    try (LocalCluster cluster = start(size)) {
      assertThat(cluster.size()).isEqualTo(size);
      List<Integer> sums =
          cluster.onAll(
              session -> {
                MemorySegment data = session.allocate(Integer.BYTES);
                data.set(ValueLayout.JAVA_INT, 0, session.rank() + 1);
                session.allSum(data, data, Dtype.INT32);
                return data.get(ValueLayout.JAVA_INT, 0);
              });
      assertThat(sums).hasSize(size).containsOnly(size * (size + 1) / 2);
    }
    assertNothingIsLeft();
  }

  @Test
  void shouldReturnResultsInRankOrderAndKeepNulls() {
    try (LocalCluster cluster = start(3)) {
      assertThat(cluster.onAll(session -> session.rank() == 1 ? null : "r" + session.rank()))
          .containsExactly("r0", null, "r2");
      cluster.runOnAll(Session::barrier);
    }
  }

  @Test
  void shouldGiveTheGroupOfARankToAnyThread() throws Exception {
    try (LocalCluster cluster = start(2);
        Arena arena = Arena.ofShared()) {
      MemorySegment sent = arena.allocateFrom(ValueLayout.JAVA_INT, 11);
      MemorySegment received = arena.allocate(ValueLayout.JAVA_INT);
      cluster.group(0).sendAsync(sent, 1);
      cluster.group(1).recv(received, 0);
      assertThat(received.get(ValueLayout.JAVA_INT, 0)).isEqualTo(11);
      assertThatThrownBy(() -> cluster.group(2))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("rank is 2, want 0 to 1 in a group of 2");
    }
  }

  @Test
  void shouldAdaptTheSettings() {
    try (LocalCluster cluster =
        LocalCluster.start(
            3,
            settings ->
                settings
                    .withName("adapted")
                    .withTopology(Topology.RING)
                    .withMemory(memory(settings)))) {
      assertThat(cluster.group(0).name()).isEqualTo("adapted");
      assertThat(cluster.group(0).describe()).contains("ring");
    }
  }

  @Test
  void shouldRefuseSizesThatCannotBe() {
    assertThatThrownBy(() -> LocalCluster.start(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("size is 0, want 1 or more ranks");
    assertThatThrownBy(() -> LocalCluster.start(2, settings -> settings.withSize(3)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("settings for 3 ranks, want 2");
  }

  @Test
  void shouldSayWhyThereIsNoSharedMemory() {
    assertThatThrownBy(
            () ->
                LocalCluster.start(
                    2,
                    settings ->
                        settings.withMemory(
                            new GroupSettings.Memory(4096, 0, directory.resolve("none")))))
        .isInstanceOfSatisfying(
            FormationException.class,
            e -> assertThat(e.reason()).isEqualTo(FormationException.Reason.FABRIC))
        .hasMessageContaining("none")
        .hasMessageContaining("jaccl4j.memory.shm-directory");
  }

  @Test
  void shouldThrowTheFirstCauseWhenTheOthersWaitForTheRankThatFailed() {
    IllegalStateException cause = new IllegalStateException("rank 1 cannot");
    try (LocalCluster cluster = start(3)) {
      long startNanos = System.nanoTime();
      Throwable thrown =
          catchThrowable(
              () ->
                  cluster.runOnAll(
                      session -> {
                        if (session.rank() == 1) {
                          throw cause;
                        }
                        session.barrier();
                      }));
      assertThat(thrown).isSameAs(cause);
      assertThat(thrown.getSuppressed())
          .hasSize(2)
          .allSatisfy(
              other ->
                  assertThat(other)
                      .isInstanceOfSatisfying(
                          PeerLostException.class, e -> assertThat(e.rank()).isOne())
                      .hasMessageContainingAll(
                          "rank 1",
                          "has left the group: java.lang.IllegalStateException: rank 1 cannot"));
      assertThat(Duration.ofNanos(System.nanoTime() - startNanos))
          .as("not after an operation's timeout")
          .isLessThan(OPERATION_TIMEOUT.dividedBy(2));
      assertThatThrownBy(() -> cluster.runOnAll(Session::barrier))
          .isInstanceOf(JacclException.class);
    }
    assertNothingIsLeft();
  }

  @Test
  void shouldFailOnEveryRankForOneCause() {
    try (LocalCluster cluster = start(3)) {
      assertThatThrownBy(
              () ->
                  cluster.runOnAll(
                      session -> {
                        if (session.rank() == 0) {
                          session.barrier();
                        } else {
                          MemorySegment data = session.allocate(Integer.BYTES);
                          session.allSum(data, data, Dtype.INT32);
                        }
                      }))
          .isInstanceOf(OperationMismatchException.class)
          .hasMessageContaining("barrier")
          .hasMessageContaining("allSum");
      for (int rank = 0; rank < 3; rank++) {
        assertThat(cluster.group(rank).failure())
            .hasValueSatisfying(
                failure ->
                    assertThat(failure.kind()).isEqualTo(GroupFailure.Kind.OPERATION_MISMATCH));
      }
    }
    assertNothingIsLeft();
  }

  @Test
  void shouldBeAsGoodAsBeforeWhenNobodyWaitedForTheRankThatFailed() {
    try (LocalCluster cluster = start(3)) {
      assertThatThrownBy(
              () ->
                  cluster.runOnAll(
                      session -> {
                        session.barrier();
                        if (session.rank() == 2) {
                          throw new AssertionError("found on rank 2");
                        }
                      }))
          .isInstanceOf(AssertionError.class)
          .hasMessage("found on rank 2");
      assertThat(cluster.onAll(Session::rank)).containsExactly(0, 1, 2);
      cluster.runOnAll(Session::barrier);
    }
  }

  @Test
  void shouldNameTheRanksThatDoNotReturnInTime() {
    CountDownLatch release = new CountDownLatch(1);
    try (LocalCluster cluster = start(2)) {
      assertThatThrownBy(
              () ->
                  cluster.onAll(
                      session -> {
                        if (session.rank() == 1) {
                          awaitUninterrupted(release);
                        }
                        return session.rank();
                      },
                      Duration.ofMillis(200)))
          .isInstanceOf(JacclException.class)
          .hasMessageContaining("local cluster of 2: ranks [1] have not returned")
          .hasMessageContaining("PT0.2S");
      assertThat(cluster.group(0).health()).isNotEqualTo(GroupHealth.READY);
      release.countDown();
    }
    assertNothingIsLeft();
  }

  @Test
  void shouldCloseWhenItsCallerIsInterrupted() throws Exception {
    CountDownLatch inside = new CountDownLatch(2);
    CountDownLatch release = new CountDownLatch(1);
    try (LocalCluster cluster = start(2)) {
      AtomicReference<Boolean> interrupted = new AtomicReference<>();
      CompletableFuture<Throwable> thrown = new CompletableFuture<>();
      Thread caller =
          Thread.ofPlatform()
              .start(
                  () -> {
                    thrown.complete(
                        catchThrowable(
                            () ->
                                cluster.runOnAll(
                                    session -> {
                                      inside.countDown();
                                      awaitUninterrupted(release);
                                    })));
                    interrupted.set(Thread.currentThread().isInterrupted());
                  });
      assertThat(inside.await(30, TimeUnit.SECONDS)).isTrue();
      caller.interrupt();
      assertThat(thrown.get(30, TimeUnit.SECONDS))
          .isInstanceOf(JacclException.class)
          .hasMessageContaining("interrupted");
      caller.join(Duration.ofSeconds(30));
      assertThat(interrupted.get()).isTrue();
      release.countDown();
    }
    assertNothingIsLeft();
  }

  @Test
  void shouldCloseMoreThanOnce() {
    LocalCluster cluster = start(2);
    cluster.close();
    cluster.close();
    assertThatThrownBy(() -> cluster.onAll(Session::rank)).isInstanceOf(GroupClosedException.class);
    assertNothingIsLeft();
  }

  @Test
  void shouldKeepClustersApart() {
    try (LocalCluster first = start(2);
        LocalCluster second = start(2)) {
      assertThat(first.group(0).name()).isNotEqualTo(second.group(0).name());
      first.runOnAll(Session::barrier);
      second.runOnAll(Session::barrier);
    }
  }

  private LocalCluster start(int size) {
    return LocalCluster.start(
        size,
        settings -> settings.withOperationTimeout(OPERATION_TIMEOUT).withMemory(memory(settings)));
  }

  private GroupSettings.Memory memory(GroupSettings settings) {
    return new GroupSettings.Memory(settings.memory().slotBytes(), 1 << 20, directory);
  }

  private void assertNothingIsLeft() {
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () -> {
              assertThat(files()).as("shared memory").isEmpty();
              assertThat(Thread.getAllStackTraces().keySet())
                  .noneMatch(thread -> thread.getName().startsWith("jaccl-local-"));
            });
  }

  private List<Path> files() {
    try (Stream<Path> files = Files.list(directory)) {
      return files.toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void awaitUninterrupted(CountDownLatch latch) {
    try {
      assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
