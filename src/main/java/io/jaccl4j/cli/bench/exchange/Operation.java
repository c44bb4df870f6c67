package io.jaccl4j.cli.bench.exchange;

import io.jaccl4j.Dtype;
import java.util.Locale;

/**
 * What can be measured. Sizes and bandwidths are those of nccl-tests, so that numbers can be laid
 * side by side: the size is that of the larger of the two buffers of a rank, the algorithm
 * bandwidth is size by time, and the bus bandwidth is that times a factor which makes it the
 * bandwidth that the slowest link must have had.
 */
public enum Operation {
  ALL_SUM(InPlace.POSSIBLE),
  ALL_MAX(InPlace.POSSIBLE),
  ALL_MIN(InPlace.POSSIBLE),
  ALL_GATHER(InPlace.POSSIBLE),
  SUM_SCATTER(InPlace.POSSIBLE),
  SEND_RECV(InPlace.NEVER),
  BROADCAST(InPlace.ALWAYS),
  ALL_TO_ALL(InPlace.NEVER),
  BARRIER(InPlace.NEVER);

  /** Whether an operation works within one buffer. */
  private enum InPlace {
    NEVER,
    POSSIBLE,
    ALWAYS
  }

  private final InPlace inPlace;

  Operation(InPlace inPlace) {
    this.inPlace = inPlace;
  }

  /** Its name on the command line and in results. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether it moves data, which all do but the barrier. */
  public boolean hasData() {
    return this != BARRIER;
  }

  /** Whether the larger buffer consists of one block per rank. */
  public boolean hasBlocks() {
    return switch (this) {
      case ALL_GATHER, SUM_SCATTER, ALL_TO_ALL -> true;
      case ALL_SUM, ALL_MAX, ALL_MIN, SEND_RECV, BROADCAST, BARRIER -> false;
    };
  }

  /** Whether it can be asked to work within one buffer. */
  public boolean canWorkInPlace() {
    return inPlace != InPlace.NEVER;
  }

  /** Whether it is in no wire of MLX. */
  public boolean isOnExactWireOnly() {
    return this == BROADCAST || this == ALL_TO_ALL;
  }

  /** The largest size up to {@code bytes} that is whole elements on every rank; may be 0. */
  public long fittingBytes(long bytes, Dtype dtype, int ranks) {
    long unitBytes = (long) dtype.bytes() * (hasBlocks() ? ranks : 1);
    return bytes / unitBytes * unitBytes;
  }

  /** Elements of a block where there are blocks, else of the buffer. */
  public long count(long bytes, Dtype dtype, int ranks) {
    return bytes / dtype.bytes() / (hasBlocks() ? ranks : 1);
  }

  /** What the algorithm bandwidth is multiplied with. */
  public double busFactor(int ranks) {
    double others = (ranks - 1.0) / ranks;
    return switch (this) {
      // Every byte goes to the place where it is added up, and its sum back.
      case ALL_SUM, ALL_MAX, ALL_MIN -> 2 * others;
      // The own block stays.
      case ALL_GATHER, SUM_SCATTER, ALL_TO_ALL -> others;
      case SEND_RECV, BROADCAST, BARRIER -> 1;
    };
  }
}
