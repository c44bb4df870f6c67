package io.jaccl4j.sidechannel;

import io.jaccl4j.FormationException;
import io.jaccl4j.FormationException.Reason;
import java.util.Arrays;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A user's function as a side channel. It runs on a daemon thread of this channel, so that one
 * which never returns ends at the deadline all the same; it is interrupted then.
 */
public final class FunctionAllGather implements UniformAllGather {
  private final GatherFunction function;
  private final Complaints complaints;
  private final ExecutorService thread;

  // Guarded by this.
  private Future<byte[]> pending;
  private FormationException ended;
  private int rounds;

  /**
   * The function of a rank.
   *
   * @param function gathers one round
   * @param rank this rank
   * @param size number of ranks
   */
  public FunctionAllGather(GatherFunction function, int rank, int size) {
    this.function = function;
    this.complaints = new Complaints("gather function", rank, size);
    this.thread =
        Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("jaccl-gather-" + rank).factory());
  }

  /**
   * Opens a channel with each formation; a factory that throws fails the formation.
   *
   * @param functions makes the function of each formation
   * @return what makes a channel for each formation
   */
  public static Factory factory(GatherFunction.Factory functions) {
    return (rank, size) -> {
      try {
        return new FunctionAllGather(functions.open(rank, size), rank, size);
      } catch (FormationException e) {
        throw e;
      } catch (Exception e) {
        throw failed(new Complaints("gather function", rank, size), "open", e);
      }
    };
  }

  @Override
  public int rank() {
    return complaints.rank();
  }

  @Override
  public int size() {
    return complaints.size();
  }

  @Override
  public byte[] gather(byte[] contribution, long timeoutNanos) {
    Future<byte[]> call;
    String phase;
    synchronized (this) {
      if (ended != null) {
        throw Complaints.again(ended);
      }
      phase = "gather %d of %d bytes".formatted(rounds++, contribution.length);
      byte[] own = contribution.clone();
      try {
        call = thread.submit(() -> function.gather(own));
      } catch (RejectedExecutionException e) {
        throw complaints.of(Reason.STOPPED, phase, "the channel was closed on this rank", e);
      }
      pending = call;
    }
    try {
      return checked(await(call, phase, timeoutNanos), contribution, phase);
    } catch (FormationException e) {
      end(e);
      throw e;
    }
  }

  private byte[] await(Future<byte[]> call, String phase, long timeoutNanos) {
    try {
      return call.get(timeoutNanos, TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw failed(complaints, phase, e.getCause());
    } catch (TimeoutException e) {
      throw complaints.of(
          Reason.TIMEOUT,
          phase,
          "the function did not return within %.1f s".formatted(timeoutNanos / 1e9),
          e);
    } catch (CancellationException e) {
      throw complaints.of(Reason.STOPPED, phase, "the channel was closed on this rank", e);
    } catch (InterruptedException e) {
      throw complaints.interrupted(phase, e);
    }
  }

  private byte[] checked(byte[] all, byte[] contribution, String phase) {
    int bytes = contribution.length;
    if (all == null || all.length != size() * bytes) {
      throw complaints.of(
          Reason.SETTINGS_DIFFER,
          phase,
          "the function returned %s, want %d bytes, %d of each rank"
              .formatted(all == null ? "null" : all.length + " bytes", size() * bytes, bytes));
    }
    int own = rank() * bytes;
    if (!Arrays.equals(contribution, 0, bytes, all, own, own + bytes)) {
      throw complaints.of(
          Reason.SETTINGS_DIFFER,
          phase,
          "the function returned other bytes than this rank's own from byte %d; are they in rank"
                  .formatted(own)
              + " order?");
    }
    return all;
  }

  private static FormationException failed(Complaints complaints, String phase, Throwable cause) {
    // A side channel of the user's may know the reason better.
    Reason reason = cause instanceof FormationException f ? f.reason() : Reason.PEER_FAILED;
    return complaints.of(reason, phase, "the function failed: " + cause, cause);
  }

  @Override
  public void close() {
    end(complaints.of(Reason.STOPPED, "gather", "the channel was closed on this rank"));
  }

  private synchronized void end(FormationException cause) {
    if (ended == null) {
      ended = cause;
    }
    if (pending != null) {
      pending.cancel(true);
    }
    thread.shutdownNow();
  }
}
