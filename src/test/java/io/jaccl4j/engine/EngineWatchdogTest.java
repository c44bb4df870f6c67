package io.jaccl4j.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Threads in what looks like a native call, on a clock on which every look is too late. */
class EngineWatchdogTest {
  private static final long LIMIT_NANOS = 1_000;
  private static final int LOOKS = 4;

  private final CountDownLatch returned = new CountDownLatch(1);
  private final AtomicLong nowNanos = new AtomicLong();
  private final AtomicLong calls = new AtomicLong();
  private final AtomicLong looks = new AtomicLong();
  private final AtomicBoolean getsOn = new AtomicBoolean(true);
  private final CompletableFuture<String> stuck = new CompletableFuture<>();

  @AfterEach
  void end() {
    returned.countDown();
  }

  private void ibv_reg_mr() {
    awaitEnd();
  }

  private void awaitEnd() {
    try {
      returned.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private void watch(Runnable body) {
    Thread thread = Thread.ofPlatform().daemon(true).start(body);
    EngineWatchdog.watch(
        thread,
        () -> {
          looks.incrementAndGet();
          return getsOn.get() ? calls.incrementAndGet() : calls.get();
        },
        () -> nowNanos.addAndGet(LIMIT_NANOS),
        LIMIT_NANOS,
        stuck::complete);
  }

  @Test
  void shouldTellACallThatDoesNotReturnFromManyThatFollowEachOther() {
    watch(this::ibv_reg_mr);
    await().atMost(20, TimeUnit.SECONDS).until(() -> looks.get() >= LOOKS);
    assertThat(stuck).as("the thread gets on").isNotDone();
    getsOn.set(false);
    assertThat(stuck).succeedsWithin(20, TimeUnit.SECONDS).isEqualTo("ibv_reg_mr");
  }

  @Test
  void shouldNotMindAFunctionThatTakesLong() {
    getsOn.set(false);
    watch(this::awaitEnd);
    await().atMost(20, TimeUnit.SECONDS).until(() -> looks.get() >= LOOKS);
    assertThat(stuck).isNotDone();
  }
}
