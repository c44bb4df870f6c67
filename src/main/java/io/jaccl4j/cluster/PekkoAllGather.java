package io.jaccl4j.cluster;

import io.jaccl4j.AllGather;
import io.jaccl4j.FormationException;
import io.jaccl4j.FormationException.Reason;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * The all-gather of one formation over cluster messages, as the engine thread sees it: it hands the
 * contribution to the group's actor and waits for the answer. The actor keeps the deadline, since
 * it knows who is missing; the wait here is a little longer, in case the actor is gone.
 */
final class PekkoAllGather implements AllGather {

  private static final long ANSWER_GRACE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final String where;
  private final int maxContributionBytes;
  private final ActorRef<GroupActor.Command> actor;

  // Guarded by this.
  private CompletableFuture<List<byte[]>> pending;
  private FormationException ended;

  /**
   * A channel.
   *
   * @param where group, epoch and rank, for error messages
   */
  PekkoAllGather(String where, int maxContributionBytes, ActorRef<GroupActor.Command> actor) {
    this.where = where;
    this.maxContributionBytes = maxContributionBytes;
    this.actor = actor;
  }

  @Override
  public List<byte[]> allGather(byte[] contribution, long timeoutNanos) {
    if (contribution.length > maxContributionBytes) {
      throw new FormationException(
          Reason.FABRIC,
          ("%s: metadata exchange: contribution of %d bytes, want at most %d"
                  + " (jaccl4j.side-channel.max-contribution-bytes)")
              .formatted(where, contribution.length, maxContributionBytes));
    }
    CompletableFuture<List<byte[]>> result = open();
    actor.tell(new GroupActor.Contribute(contribution.clone(), timeoutNanos, result));
    return await(result, timeoutNanos);
  }

  /** Ends a call under way, and all later ones, with this cause. The first cause stays. */
  synchronized void fail(FormationException cause) {
    if (ended == null) {
      ended = cause;
    }
    if (pending != null) {
      pending.completeExceptionally(ended);
    }
  }

  @Override
  public void close() {
    fail(new FormationException(Reason.STOPPED, where + ": metadata exchange: channel closed"));
  }

  private synchronized CompletableFuture<List<byte[]>> open() {
    if (ended != null) {
      throw new FormationException(ended.reason(), ended.getMessage(), ended);
    }
    pending = new CompletableFuture<>();
    return pending;
  }

  private List<byte[]> await(CompletableFuture<List<byte[]>> result, long timeoutNanos) {
    try {
      long patience = Math.max(timeoutNanos, timeoutNanos + ANSWER_GRACE_NANOS);
      return result.get(patience, TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      // A new exception, so that its stack shows this thread.
      throw e.getCause() instanceof FormationException f
          ? new FormationException(f.reason(), f.getMessage(), f)
          : new FormationException(Reason.PEER_FAILED, where + ": " + e.getCause(), e.getCause());
    } catch (TimeoutException e) {
      throw new FormationException(
          Reason.TIMEOUT, where + ": metadata exchange: the group's actor does not answer", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new FormationException(
          Reason.STOPPED, where + ": metadata exchange: thread interrupted", e);
    }
  }
}
