package io.jaccl4j.collective;

import io.jaccl4j.testing.emulated.LinkSchedule;
import io.jaccl4j.testing.emulated.MessageRuns;
import java.util.ArrayList;
import java.util.List;

/**
 * JACCL's rules for a mesh, written down a second time from its description: which messages every
 * link carries in each direction.
 *
 * @param size number of ranks
 * @param wholeBuffers whether each message is as long as its class, as in JACCL, or as its payload
 */
record JacclMesh(int size, boolean wholeBuffers) {
  private static final long FRAME = 4096;
  private static final int CLASSES = 8;
  private static final long SMALL_BYTES = 32768;

  MessageRuns allReduce(long count, int elementBytes) {
    List<Integer> lengths = new ArrayList<>();
    if (size == 2 || count * elementBytes <= SMALL_BYTES) {
      addTransfer(lengths, count * elementBytes);
    } else {
      long chunk = count / size;
      addTransfer(lengths, chunk * elementBytes);
      addTransfer(lengths, chunk * elementBytes);
      addTransfer(lengths, count % size * elementBytes);
    }
    return MessageRuns.ofLengths(lengths);
  }

  /** All-gather, sum-scatter or a transfer of so many bytes per peer. */
  MessageRuns transfer(long bytes) {
    List<Integer> lengths = new ArrayList<>();
    addTransfer(lengths, bytes);
    return MessageRuns.ofLengths(lengths);
  }

  MessageRuns barrier() {
    return allReduce(1, 1);
  }

  /** The same messages on every link, in both directions. */
  LinkSchedule everywhere(MessageRuns runs) {
    LinkSchedule schedule = new LinkSchedule();
    for (int first = 0; first < size; first++) {
      for (int second = first + 1; second < size; second++) {
        int wire = wire(first, second);
        schedule.sends(wire, first, runs).sends(wire, second, runs);
      }
    }
    return schedule;
  }

  /** Messages from one rank to a higher one alone. */
  LinkSchedule upwards(int sender, int receiver, MessageRuns runs) {
    return new LinkSchedule().sends(wire(sender, receiver), sender, runs);
  }

  /** Wires are numbered pair by pair: 0-1, 0-2, ..., 1-2, ... */
  private int wire(int first, int second) {
    int before = 0;
    for (int rank = 0; rank < first; rank++) {
      before += size - 1 - rank;
    }
    return before + second - first - 1;
  }

  private void addTransfer(List<Integer> lengths, long bytes) {
    long buffer = FRAME;
    for (int k = 1; k < CLASSES && bytes >= FRAME << k; k++) {
      buffer = FRAME << k;
    }
    for (long left = bytes; left > 0; left -= buffer) {
      lengths.add((int) (wholeBuffers ? buffer : Math.min(buffer, left)));
    }
  }
}
