package io.jaccl4j.testing;

import io.jaccl4j.AllGather;
import io.jaccl4j.FormationException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Side channel between threads of one JVM. */
public final class MemoryAllGather implements AllGather.Factory {
  private final Object lock = new Object();
  private final List<byte[][]> rounds = new ArrayList<>();

  @Override
  public AllGather open(int rank, int size) {
    return new Channel(rank, size);
  }

  private final class Channel implements AllGather {
    private final int rank;
    private final int size;
    private int round;
    private boolean closed;

    Channel(int rank, int size) {
      this.rank = rank;
      this.size = size;
    }

    @Override
    public List<byte[]> allGather(byte[] contribution, long timeoutNanos) {
      long untilNanos = System.nanoTime() + timeoutNanos;
      synchronized (lock) {
        while (rounds.size() <= round) {
          rounds.add(new byte[size][]);
        }
        byte[][] all = rounds.get(round++);
        all[rank] = contribution.clone();
        lock.notifyAll();
        while (!complete(all)) {
          long leftMillis = TimeUnit.NANOSECONDS.toMillis(untilNanos - System.nanoTime());
          if (closed || leftMillis <= 0) {
            throw new FormationException(
                FormationException.Reason.TIMEOUT, closed ? "closed" : "ranks are missing");
          }
          waitOnLock(leftMillis);
        }
        return List.of(all);
      }
    }

    private void waitOnLock(long millis) {
      try {
        lock.wait(millis);
      } catch (InterruptedException e) {
        throw new FormationException(FormationException.Reason.STOPPED, "interrupted", e);
      }
    }

    private boolean complete(byte[][] all) {
      for (byte[] one : all) {
        if (one == null) {
          return false;
        }
      }
      return true;
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
