package io.jaccl4j.init;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jaccl4j.AllGather;
import io.jaccl4j.FormationException;
import io.jaccl4j.FormationException.Reason;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class SideChannelOpeningTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Duration SHORT = Duration.ofMillis(100);

  private static AllGather open(AllGather.Factory factory, Duration limit) {
    return new SideChannelOpening(factory, 1, 3).within(limit);
  }

  @Test
  void shouldReturnWhatTheFactoryOpens() {
    AllGather channel = (contribution, timeoutNanos) -> List.of(contribution);
    assertThat(
            open(
                (rank, size) -> {
                  assertThat(rank).isOne();
                  assertThat(size).isEqualTo(3);
                  return channel;
                },
                PATIENCE))
        .isSameAs(channel);
  }

  @Test
  void shouldEndAtTheDeadlineWhereTheFactoryNeverReturns() {
    CountDownLatch never = new CountDownLatch(1);
    CompletableFuture<String> end = new CompletableFuture<>();
    long startNanos = System.nanoTime();
    assertThatThrownBy(
            () ->
                open(
                    (rank, size) -> {
                      try {
                        never.await();
                      } catch (InterruptedException e) {
                        end.complete("interrupted");
                      }
                      throw new IllegalStateException();
                    },
                    SHORT))
        .isInstanceOfSatisfying(
            FormationException.class, e -> assertThat(e.reason()).isEqualTo(Reason.TIMEOUT))
        .hasMessage("rank 1 of 3: opening the side channel did not return within 0.1 s");
    assertThat(Duration.ofNanos(System.nanoTime() - startNanos))
        .isBetween(SHORT, SHORT.plusSeconds(5));
    assertThat(end).succeedsWithin(PATIENCE).isEqualTo("interrupted");
  }

  @Test
  void shouldCloseWhatIsOpenedTooLate() {
    CountDownLatch late = new CountDownLatch(1);
    CompletableFuture<Void> closed = new CompletableFuture<>();
    AllGather channel =
        new AllGather() {
          @Override
          public List<byte[]> allGather(byte[] contribution, long timeoutNanos) {
            return List.of();
          }

          @Override
          public void close() {
            closed.complete(null);
          }
        };
    assertThatThrownBy(
            () ->
                open(
                    (rank, size) -> {
                      awaitUninterruptibly(late);
                      return channel;
                    },
                    SHORT))
        .isInstanceOf(FormationException.class);
    late.countDown();
    assertThat(closed).succeedsWithin(PATIENCE);
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    while (true) {
      try {
        assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
        return;
      } catch (InterruptedException e) {
        // As code that does not care to be interrupted.
        continue;
      }
    }
  }

  @Test
  void shouldKeepTheCauseOfAFactoryThatThrows() {
    UncheckedIOException cause = new UncheckedIOException(new IOException("no such bucket"));
    assertThatThrownBy(
            () ->
                open(
                    (rank, size) -> {
                      throw cause;
                    },
                    PATIENCE))
        .isInstanceOf(FormationException.class)
        .hasMessage("rank 1 of 3: opening the side channel failed: " + cause)
        .hasCause(cause);
    FormationException own = new FormationException(Reason.PEER_FAILED, "rank 2 has gone");
    assertThatThrownBy(
            () ->
                open(
                    (rank, size) -> {
                      throw own;
                    },
                    PATIENCE))
        .isSameAs(own);
    assertThatThrownBy(() -> open((rank, size) -> null, PATIENCE))
        .isInstanceOf(FormationException.class)
        .hasMessageContaining("the factory returned null");
  }

  @Test
  void shouldEndWhenItsCallerIsInterrupted() {
    CountDownLatch never = new CountDownLatch(1);
    Thread.currentThread().interrupt();
    try {
      assertThatThrownBy(
              () ->
                  open(
                      (rank, size) -> {
                        awaitUninterruptibly(never);
                        return null;
                      },
                      PATIENCE))
          .isInstanceOfSatisfying(
              FormationException.class, e -> assertThat(e.reason()).isEqualTo(Reason.STOPPED));
    } finally {
      assertThat(Thread.interrupted()).isTrue();
      never.countDown();
    }
  }
}
