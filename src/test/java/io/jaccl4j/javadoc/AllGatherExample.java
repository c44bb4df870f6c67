package io.jaccl4j.javadoc;

import io.jaccl4j.AllGather;
import io.jaccl4j.FormationException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** For {@link AllGather}: metadata over whatever stores values under keys. */
final class AllGatherExample {
  private AllGatherExample() {}

  /** What the processes share: etcd, Redis, a database. */
  interface Store {
    void put(String key, byte[] value);

    /** Waits for a key, but no longer; null if it is not there then. */
    byte[] await(String key, long timeoutNanos);
  }

  // @start region="all-gather"
  /**
   * One per formation.
   *
   * @param run a name that no other formation has
   */
  record StoreAllGather(Store store, String run, int rank, int size, int[] round)
      implements AllGather {

    static AllGather.Factory factory(Store store, String run) {
      return (rank, size) -> new StoreAllGather(store, run, rank, size, new int[1]);
    }

    @Override
    public List<byte[]> allGather(byte[] contribution, long timeoutNanos) {
      long untilNanos = System.nanoTime() + timeoutNanos;
      String prefix = run + "/" + round[0]++ + "/";
      store.put(prefix + rank, contribution.clone());
      List<byte[]> all = new ArrayList<>();
      for (int peer = 0; peer < size; peer++) {
        byte[] theirs = store.await(prefix + peer, untilNanos - System.nanoTime());
        if (theirs == null) {
          throw new FormationException(
              FormationException.Reason.TIMEOUT,
              "nothing from rank %d after %d s; look at its log"
                  .formatted(peer, TimeUnit.NANOSECONDS.toSeconds(timeoutNanos)));
        }
        all.add(theirs);
      }
      return all;
    }
  }
  // @end
}
