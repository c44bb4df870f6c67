package io.jaccl4j.sidechannel;

import io.jaccl4j.AllGather;
import io.jaccl4j.FormationException.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Side channel between the ranks of one formation that are threads of one JVM. */
public final class MemoryAllGather implements AllGather.Factory {
  private final Object lock = new Object();
  private final List<byte[][]> rounds = new ArrayList<>();

  /** For the ranks of one formation. */
  public MemoryAllGather() {}

  @Override
  public AllGather open(int rank, int size) {
    return new Channel(rank, size);
  }

  private final class Channel implements AllGather {
    private final Complaints complaints;
    private int round;
    private boolean closed;

    Channel(int rank, int size) {
      complaints = new Complaints("memory", rank, size);
    }

    @Override
    public List<byte[]> allGather(byte[] contribution, long timeoutNanos) {
      long startNanos = System.nanoTime();
      synchronized (lock) {
        while (rounds.size() <= round) {
          rounds.add(new byte[complaints.size()][]);
        }
        String phase = "gather " + round;
        byte[][] all = rounds.get(round++);
        all[complaints.rank()] = contribution.clone();
        lock.notifyAll();
        for (List<Integer> missing = missing(all); !missing.isEmpty(); missing = missing(all)) {
          if (closed) {
            throw complaints.of(Reason.STOPPED, phase, "the channel was closed on this rank");
          }
          long leftNanos = timeoutNanos - (System.nanoTime() - startNanos);
          if (leftNanos <= 0) {
            throw complaints.of(
                Reason.TIMEOUT,
                phase,
                "ranks %s have not contributed within %.1f s"
                    .formatted(missing, timeoutNanos / 1e9));
          }
          await(phase, leftNanos);
        }
        return List.of(all);
      }
    }

    private void await(String phase, long nanos) {
      try {
        TimeUnit.NANOSECONDS.timedWait(lock, Math.max(nanos, TimeUnit.MILLISECONDS.toNanos(1)));
      } catch (InterruptedException e) {
        throw complaints.interrupted(phase, e);
      }
    }

    private static List<Integer> missing(byte[][] all) {
      List<Integer> missing = new ArrayList<>();
      for (int rank = 0; rank < all.length; rank++) {
        if (all[rank] == null) {
          missing.add(rank);
        }
      }
      return missing;
    }

    @Override
    public void close() {
      synchronized (lock) {
        closed = true;
        lock.notifyAll();
      }
    }
  }
}
