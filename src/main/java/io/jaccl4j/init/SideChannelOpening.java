package io.jaccl4j.init;

import io.jaccl4j.AllGather;
import io.jaccl4j.FormationException;
import io.jaccl4j.FormationException.Reason;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Opens a side channel, which may be anybody's code, on a daemon thread of its own, so that one
 * that never opens ends all the same. Then its thread is interrupted, and what it opens after all
 * is closed.
 */
final class SideChannelOpening {
  private final AllGather.Factory factory;
  private final int rank;
  private final int size;

  SideChannelOpening(AllGather.Factory factory, int rank, int size) {
    this.factory = factory;
    this.rank = rank;
    this.size = size;
  }

  /**
   * Opens it.
   *
   * @throws FormationException if it throws, returns nothing, or does not return in time
   */
  AllGather within(Duration limit) {
    CompletableFuture<AllGather> opened = new CompletableFuture<>();
    Thread thread =
        Thread.ofPlatform().daemon().name("jaccl-side-channel-" + rank).start(() -> open(opened));
    try {
      return opened.get(limit.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof FormationException cause
          ? cause
          : failed(Reason.FABRIC, "failed: " + e.getCause(), e.getCause());
    } catch (TimeoutException e) {
      giveUp(opened, thread);
      throw failed(Reason.TIMEOUT, "did not return within " + limit.toMillis() / 1e3 + " s", e);
    } catch (InterruptedException e) {
      giveUp(opened, thread);
      Thread.currentThread().interrupt();
      throw failed(Reason.STOPPED, "was interrupted", e);
    }
  }

  private void open(CompletableFuture<AllGather> opened) {
    try {
      AllGather channel = factory.open(rank, size);
      if (channel == null) {
        throw new NullPointerException("the factory returned null, want a channel");
      }
      if (!opened.complete(channel)) {
        channel.close();
      }
    } catch (Throwable e) {
      opened.completeExceptionally(e);
    }
  }

  private static void giveUp(CompletableFuture<AllGather> opened, Thread thread) {
    if (opened.cancel(true)) {
      thread.interrupt();
    } else {
      opened.thenAccept(AllGather::close);
    }
  }

  private FormationException failed(Reason reason, String what, Throwable cause) {
    return new FormationException(
        reason, "rank %d of %d: opening the side channel %s".formatted(rank, size, what), cause);
  }
}
