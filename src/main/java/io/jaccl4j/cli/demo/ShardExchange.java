package io.jaccl4j.cli.demo;

import io.jaccl4j.Dtype;
import io.jaccl4j.Session;
import java.lang.foreign.MemorySegment;

/** The collectives that are not element-wise over all ranks, each on something of the table. */
final class ShardExchange {
  /** Bins of the histogram per rank, so that every rank receives a block of it. */
  static final int BINS_PER_RANK = 8;

  private final Session session;
  private final Dataset shard;

  ShardExchange(Session session, Dataset shard) {
    this.session = session;
    this.shard = shard;
  }

  /** allGather: how many rows each rank has. */
  long[] gatherRowCounts() {
    MemorySegment own = session.allocate(Long.BYTES);
    MemorySegment all = session.allocate((long) session.size() * Long.BYTES);
    own.setAtIndex(Elements.INT64, 0, shard.rowCount());
    session.allGather(own, all);
    return all.toArray(Elements.INT64);
  }

  /**
   * sumScatter: this rank's block of the whole table's histogram. The counts are small integers, so
   * float32 holds them exactly.
   */
  float[] scatterHistogram(ColumnStatistics column) {
    int bins = BINS_PER_RANK * session.size();
    MemorySegment whole = session.allocate((long) bins * Float.BYTES);
    MemorySegment block = session.allocate((long) BINS_PER_RANK * Float.BYTES);
    long[] counts = Histogram.of(shard, new RowRange(0, shard.rowCount()), column, bins);
    for (int bin = 0; bin < bins; bin++) {
      whole.setAtIndex(Elements.FLOAT32, bin, counts[bin]);
    }
    session.sumScatter(whole, block, Dtype.FLOAT32);
    return block.toArray(Elements.FLOAT32);
  }

  /** send and recv: hands the own checksum to the next rank, returns the previous rank's. */
  long passChecksumAround() {
    MemorySegment own = session.allocate(Long.BYTES);
    MemorySegment received = session.allocate(Long.BYTES);
    own.setAtIndex(Elements.INT64, 0, Checksum.of(shard, new RowRange(0, shard.rowCount())));
    int next = (session.rank() + 1) % session.size();
    int previous = (session.rank() + session.size() - 1) % session.size();
    if (session.size() == 1) {
      return own.getAtIndex(Elements.INT64, 0);
    }
    // One rank must begin: a send may wait for its receiver, and then a ring of senders never ends.
    if (session.rank() == 0) {
      session.send(own, next);
      session.recv(received, previous);
    } else {
      session.recv(received, previous);
      session.send(own, next);
    }
    return received.getAtIndex(Elements.INT64, 0);
  }
}
