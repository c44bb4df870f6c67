package io.jaccl4j.ring;

import java.util.Arrays;

/**
 * What one byte stream of an operation consists of: pieces of memory, one after the other. Empty
 * ones are left out. Reused from operation to operation.
 */
final class Pieces {
  private ByteWindows[] memory = new ByteWindows[4];
  private long[] offsets = new long[4];
  private long[] lengths = new long[4];
  private int count;
  private int current;
  private long doneInCurrent;
  private long totalBytes;
  private long doneBytes;

  void clear() {
    Arrays.fill(memory, 0, count, null);
    count = 0;
    current = 0;
    doneInCurrent = 0;
    totalBytes = 0;
    doneBytes = 0;
  }

  void add(ByteWindows windows, long offset, long bytes) {
    if (bytes == 0) {
      return;
    }
    if (count == lengths.length) {
      memory = Arrays.copyOf(memory, 2 * count);
      offsets = Arrays.copyOf(offsets, 2 * count);
      lengths = Arrays.copyOf(lengths, 2 * count);
    }
    memory[count] = windows;
    offsets[count] = offset;
    lengths[count] = bytes;
    count++;
    totalBytes += bytes;
  }

  boolean isDone() {
    return doneBytes == totalBytes;
  }

  long doneBytes() {
    return doneBytes;
  }

  long totalBytes() {
    return totalBytes;
  }

  /** Number of the piece to be worked on, among those that are not empty. */
  int current() {
    return current;
  }

  ByteWindows memory() {
    return memory[current];
  }

  /** Where work goes on in {@link #memory}. */
  long offset() {
    return offsets[current] + doneInCurrent;
  }

  /** Bytes left of the current piece. */
  long remaining() {
    return lengths[current] - doneInCurrent;
  }

  void advance(long bytes) {
    doneBytes += bytes;
    doneInCurrent += bytes;
    if (doneInCurrent == lengths[current]) {
      current++;
      doneInCurrent = 0;
    }
  }
}
