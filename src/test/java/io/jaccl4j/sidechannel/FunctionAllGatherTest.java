package io.jaccl4j.sidechannel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.jaccl4j.AllGather;
import io.jaccl4j.FormationException;
import io.jaccl4j.FormationException.Reason;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class FunctionAllGatherTest {
  private static final long PATIENCE_NANOS = Duration.ofSeconds(20).toNanos();
  private static final long SHORT_NANOS = Duration.ofMillis(50).toNanos();

  @Test
  void shouldGatherByAFactoryOfTheUsers() throws Exception {
    MemoryAllGather memory = new MemoryAllGather();
    UniformAllGather.Factory factory =
        FunctionAllGather.factory(
            (rank, size) -> {
              AllGather inner = memory.open(rank, size);
              return contribution -> {
                byte[] all = new byte[size * contribution.length];
                int place = 0;
                for (byte[] part : inner.allGather(contribution, PATIENCE_NANOS)) {
                  System.arraycopy(part, 0, all, place, part.length);
                  place += part.length;
                }
                return all;
              };
            });
    try (ConcurrentRanks ranks = new ConcurrentRanks()) {
      assertThat(
              ranks.all(
                  3,
                  rank -> {
                    try (UniformAllGather channel = factory.open(rank, 3)) {
                      assertThat(channel.size()).isEqualTo(3);
                      assertThat(channel.gather(new byte[0], PATIENCE_NANOS)).isEmpty();
                      return channel.gather(new byte[] {(byte) rank}, PATIENCE_NANOS);
                    }
                  }))
          .containsOnly(new byte[] {0, 1, 2});
    }
  }

  @Test
  void shouldEndWithTheFunctionsCause() {
    IOException cause = new IOException("no such bucket");
    try (FunctionAllGather channel =
        new FunctionAllGather(
            _ -> {
              throw cause;
            },
            1,
            2)) {
      assertThatThrownBy(() -> channel.gather(new byte[4], PATIENCE_NANOS))
          .isInstanceOfSatisfying(
              FormationException.class, e -> assertThat(e.reason()).isEqualTo(Reason.PEER_FAILED))
          .hasMessage(
              "rank 1 of 2: gather function, gather 0 of 4 bytes: the function failed:"
                  + " java.io.IOException: no such bucket")
          .hasCause(cause);
      assertThatThrownBy(() -> channel.gather(new byte[4], PATIENCE_NANOS))
          .as("stays failed with its first cause")
          .hasMessageContaining("gather 0 of 4 bytes: the function failed");
    }
  }

  @Test
  void shouldKeepTheReasonOfAFunctionThatKnowsIt() {
    FormationException cause = new FormationException(Reason.TIMEOUT, "late");
    try (FunctionAllGather channel =
        new FunctionAllGather(
            _ -> {
              throw cause;
            },
            0,
            2)) {
      assertThatThrownBy(() -> channel.gather(new byte[4], PATIENCE_NANOS))
          .isInstanceOfSatisfying(
              FormationException.class, e -> assertThat(e.reason()).isEqualTo(Reason.TIMEOUT))
          .hasCause(cause);
    }
  }

  @Test
  void shouldNotHideAnErrorOfTheFunction() {
    try (FunctionAllGather channel =
        new FunctionAllGather(
            _ -> {
              throw new StackOverflowError("deep");
            },
            0,
            2)) {
      assertThatThrownBy(() -> channel.gather(new byte[4], PATIENCE_NANOS))
          .isInstanceOf(StackOverflowError.class);
    }
  }

  @Test
  void shouldEndWithTheFactorysCause() {
    UniformAllGather.Factory factory =
        FunctionAllGather.factory(
            (_, _) -> {
              throw new IllegalStateException("no credentials");
            });

    assertThatThrownBy(() -> factory.open(1, 2))
        .isInstanceOf(FormationException.class)
        .hasMessageContaining(
            "open: the function failed: java.lang.IllegalStateException: no cred");
    FormationException cause = new FormationException(Reason.STOPPED, "shut");
    assertThatThrownBy(
            () ->
                FunctionAllGather.factory(
                        (_, _) -> {
                          throw cause;
                        })
                    .open(0, 1))
        .isSameAs(cause);
  }

  @Test
  void shouldEndAtTheDeadlineWhereTheFunctionDoesNotReturn() {
    CountDownLatch never = new CountDownLatch(1);
    AtomicBoolean interrupted = new AtomicBoolean();
    try (FunctionAllGather channel =
        new FunctionAllGather(
            contribution -> {
              try {
                never.await();
              } catch (InterruptedException e) {
                interrupted.set(true);
              }
              return contribution;
            },
            1,
            2)) {
      assertThatThrownBy(() -> channel.gather(new byte[4], SHORT_NANOS))
          .isInstanceOfSatisfying(
              FormationException.class, e -> assertThat(e.reason()).isEqualTo(Reason.TIMEOUT))
          .hasMessage(
              "rank 1 of 2: gather function, gather 0 of 4 bytes: the function did not return"
                  + " within 0.1 s");
      await().untilTrue(interrupted);
    }
  }

  @Test
  void shouldEndACallUnderWayWhenClosed() throws Exception {
    CountDownLatch called = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    FunctionAllGather channel =
        new FunctionAllGather(
            contribution -> {
              called.countDown();
              never.await();
              return contribution;
            },
            0,
            2);
    try (ConcurrentRanks ranks = new ConcurrentRanks()) {
      Future<byte[]> call = ranks.start(() -> channel.gather(new byte[4], PATIENCE_NANOS));
      called.await();
      channel.close();
      assertThatThrownBy(() -> ConcurrentRanks.get(call))
          .isInstanceOfSatisfying(
              FormationException.class, e -> assertThat(e.reason()).isEqualTo(Reason.STOPPED));
      assertThatThrownBy(() -> channel.gather(new byte[4], PATIENCE_NANOS))
          .hasMessageContaining("the channel was closed on this rank");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 7, 9})
  void shouldNameTheWrongLengthOfAnAnswer(int bytes) {
    try (FunctionAllGather channel = new FunctionAllGather(_ -> new byte[bytes], 0, 2)) {
      assertThatThrownBy(() -> channel.gather(new byte[4], PATIENCE_NANOS))
          .isInstanceOfSatisfying(
              FormationException.class,
              e -> assertThat(e.reason()).isEqualTo(Reason.SETTINGS_DIFFER))
          .hasMessageContaining(
              "the function returned " + bytes + " bytes, want 8 bytes, 4 of each rank");
    }
  }

  @Test
  void shouldRefuseNoAnswerAndAnAnswerInWrongOrder() {
    try (FunctionAllGather channel = new FunctionAllGather(_ -> null, 0, 2)) {
      assertThatThrownBy(() -> channel.gather(new byte[4], PATIENCE_NANOS))
          .hasMessageContaining("the function returned null, want 8 bytes");
    }
    try (FunctionAllGather channel =
        new FunctionAllGather(contribution -> Arrays.copyOf(contribution, 2), 1, 2)) {
      assertThatThrownBy(() -> channel.gather(new byte[] {9}, PATIENCE_NANOS))
          .hasMessageContaining("returned other bytes than this rank's own from byte 1");
    }
  }

  @Test
  void shouldEndWhenItsThreadIsInterrupted() {
    try (FunctionAllGather channel =
        new FunctionAllGather(
            contribution -> {
              new CountDownLatch(1).await();
              return contribution;
            },
            0,
            1)) {
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> channel.gather(new byte[4], PATIENCE_NANOS))
          .hasMessageContaining("the thread was interrupted");
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
  }
}
