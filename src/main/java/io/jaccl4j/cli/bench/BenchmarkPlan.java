package io.jaccl4j.cli.bench;

import io.jaccl4j.Dtype;
import io.jaccl4j.cli.bench.exchange.Operation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What to measure.
 *
 * @param operation the operation
 * @param dtype element type
 * @param sizesBytes sizes to round down to what fits the operation, ascending
 * @param inPlace whether input and output share memory, where the operation has a choice
 * @param plainMemory whether buffers come from the JVM instead of the group
 * @param check whether every element of a result is checked
 * @param modes where to call the operation, one after the other
 * @param effort how much to measure
 */
public record BenchmarkPlan(
    Operation operation,
    Dtype dtype,
    List<Long> sizesBytes,
    boolean inPlace,
    boolean plainMemory,
    boolean check,
    List<Mode> modes,
    Effort effort) {
  private static final long SMALL_VECTORS_BYTES = 1L << 20;

  public BenchmarkPlan {
    sizesBytes = List.copyOf(sizesBytes);
    modes = List.copyOf(modes);
    if (sizesBytes.isEmpty() || modes.isEmpty()) {
      throw new IllegalArgumentException("no size or no mode to measure");
    }
    if (inPlace && !operation.canWorkInPlace()) {
      throw new IllegalArgumentException(
          operation.label() + " has separate buffers, it cannot be measured in place");
    }
  }

  /** The smallest size, its multiples by powers of the factor, and the largest size. */
  public static List<Long> sizes(long minBytes, long maxBytes, int factor) {
    if (minBytes < 1 || maxBytes < minBytes) {
      throw new IllegalArgumentException(
          "sizes from " + minBytes + " to " + maxBytes + " bytes, want 1 <= min <= max");
    }
    if (factor < 2) {
      throw new IllegalArgumentException("factor is " + factor + ", want 2 or more");
    }
    List<Long> sizes = new ArrayList<>();
    for (long bytes = minBytes; bytes < maxBytes; bytes *= factor) {
      sizes.add(bytes);
    }
    sizes.add(maxBytes);
    return List.copyOf(sizes);
  }

  /**
   * The sizes rounded down to whole elements on every rank, each once; just 0 for an operation
   * without data.
   *
   * @throws IllegalArgumentException if none is left, or so few ranks cannot do it
   */
  public List<Long> sizesFor(int ranks) {
    if (operation == Operation.SEND_RECV && ranks == 1) {
      throw new IllegalArgumentException("send_recv needs 2 ranks or more");
    }
    if (!operation.hasData()) {
      return List.of(0L);
    }
    List<Long> fitting =
        sizesBytes.stream()
            .map(bytes -> operation.fittingBytes(bytes, dtype, ranks))
            .filter(bytes -> bytes > 0)
            .distinct()
            .toList();
    if (fitting.isEmpty()) {
      throw new IllegalArgumentException(
          String.format(
              "%d bytes are less than one element (%d bytes)%s",
              maxBytes(), dtype.bytes(), operation.hasBlocks() ? " for each of the ranks" : ""));
    }
    return fitting;
  }

  /** The largest size. */
  public long maxBytes() {
    return sizesBytes.getLast();
  }

  /** What a rank needs of the group's memory: one input, one output, some for small vectors. */
  public long memoryBytes() {
    boolean buffersOfGroup = operation.hasData() && !plainMemory;
    return (buffersOfGroup ? 2 * maxBytes() : 0) + SMALL_VECTORS_BYTES;
  }

  /** About how long all sizes take if they are measured by time, warm-ups and checks aside. */
  public Duration measuringTime() {
    return effort.timePerSize().multipliedBy((long) sizesBytes.size() * modes.size());
  }
}
