package io.jaccl4j.sidechannel;

import io.jaccl4j.AllGather;
import io.jaccl4j.FormationException;
import io.jaccl4j.FormationException.Reason;
import java.util.List;

/** Equal contributions over a channel that would carry unequal ones. */
final class GatherOverAllGather implements UniformAllGather {
  private final AllGather allGather;
  private final int rank;
  private final int size;

  GatherOverAllGather(AllGather allGather, int rank, int size) {
    this.allGather = allGather;
    this.rank = rank;
    this.size = size;
  }

  @Override
  public int rank() {
    return rank;
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public byte[] gather(byte[] contribution, long timeoutNanos) {
    byte[] all = new byte[Math.multiplyExact(size, contribution.length)];
    List<byte[]> received = allGather.allGather(contribution, timeoutNanos);
    if (received.size() != size) {
      throw new FormationException(
          Reason.SETTINGS_DIFFER,
          "rank %d: side channel: contributions of %d ranks, want %d"
              .formatted(rank, received.size(), size));
    }
    for (int peer = 0; peer < size; peer++) {
      byte[] part = received.get(peer);
      if (part.length != contribution.length) {
        throw new FormationException(
            Reason.SETTINGS_DIFFER,
            "rank %d: side channel: rank %d contributes %d bytes, this rank %d, want equally many"
                .formatted(rank, peer, part.length, contribution.length));
      }
      System.arraycopy(part, 0, all, peer * contribution.length, part.length);
    }
    return all;
  }

  @Override
  public void close() {
    allGather.close();
  }
}
