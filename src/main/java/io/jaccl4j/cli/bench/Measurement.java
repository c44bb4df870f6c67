package io.jaccl4j.cli.bench;

import io.jaccl4j.Dtype;
import io.jaccl4j.cli.bench.exchange.Operation;

/**
 * One size in one mode.
 *
 * @param operation the operation
 * @param dtype element type
 * @param transport what the ranks were linked by
 * @param mode where the operation was called
 * @param ranks size of the group
 * @param bytes of the larger of a rank's buffers
 * @param count elements as nccl-tests count them
 * @param timing of the slowest rank
 * @param wrongElements on all ranks, or {@link #NOT_CHECKED}
 * @param copyMedianNanos of one copy of as many bytes in one process, or {@link #NOT_MEASURED}
 */
public record Measurement(
    Operation operation,
    Dtype dtype,
    String transport,
    Mode mode,
    int ranks,
    long bytes,
    long count,
    Timing timing,
    long wrongElements,
    double copyMedianNanos) {

  /** Nobody looked at the results. */
  public static final long NOT_CHECKED = -1;

  /** There is no data, or nobody copied it. */
  public static final double NOT_MEASURED = 0;

  /** Whether the results were looked at. */
  public boolean isChecked() {
    return wrongElements != NOT_CHECKED;
  }

  /** Bytes per nanosecond, that is 10^9 bytes per second, by the median. */
  public double algorithmBandwidth() {
    return bytes / timing.medianNanos();
  }

  /** Bytes per nanosecond that the slowest link must have carried. */
  public double busBandwidth() {
    return algorithmBandwidth() * operation.busFactor(ranks);
  }

  /** Whether a copy was measured beside it. */
  public boolean hasCopy() {
    return copyMedianNanos != NOT_MEASURED;
  }

  /** How many copies an operation costs; 0 if no copy was measured. */
  public double copies() {
    return hasCopy() ? timing.medianNanos() / copyMedianNanos : 0;
  }
}
