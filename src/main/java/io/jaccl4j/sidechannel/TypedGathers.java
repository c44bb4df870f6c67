package io.jaccl4j.sidechannel;

import io.jaccl4j.FormationException;
import io.jaccl4j.FormationException.Reason;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * What JACCL gathers over its side channel: scalars, vectors and barriers, little endian, under one
 * deadline.
 *
 * <pre>
 * scalar    one gather of its bytes
 * vector    one gather of its length, int32, in elements; one of the longest length, the others padded
 * barrier   two gathers of an int32 0
 * </pre>
 */
public final class TypedGathers {

  /** More than any metadata needs; a longer vector is taken for garbage. */
  private static final int MAX_VECTOR_BYTES = 64 << 20;

  private final UniformAllGather channel;
  private final Deadline deadline;

  /**
   * Gathers over a channel, which stays the caller's.
   *
   * @param channel what carries the bytes
   * @param timeoutNanos for all gathers together, from now, positive
   * @param nanoClock such as {@link System#nanoTime}
   */
  public TypedGathers(UniformAllGather channel, long timeoutNanos, LongSupplier nanoClock) {
    this.channel = channel;
    this.deadline = new Deadline(timeoutNanos, nanoClock);
  }

  /**
   * {@return a value of some bytes, equally many on every rank: every rank's, in rank order}
   *
   * @param value this rank's value
   */
  public List<byte[]> scalar(byte[] value) {
    byte[] all = gather(value);
    List<byte[]> values = new ArrayList<>(channel.size());
    for (int rank = 0; rank < channel.size(); rank++) {
      values.add(Arrays.copyOfRange(all, rank * value.length, (rank + 1) * value.length));
    }
    return values;
  }

  /**
   * {@return an int32 of every rank}
   *
   * @param value this rank's value
   */
  public int[] int32(int value) {
    ByteBuffer all = littleEndian(gather(bytes(Integer.BYTES).putInt(value).array()));
    int[] values = new int[channel.size()];
    all.asIntBuffer().get(values);
    return values;
  }

  /**
   * {@return an int64 of every rank}
   *
   * @param value this rank's value
   */
  public long[] int64(long value) {
    ByteBuffer all = littleEndian(gather(bytes(Long.BYTES).putLong(value).array()));
    long[] values = new long[channel.size()];
    all.asLongBuffer().get(values);
    return values;
  }

  /**
   * A vector, whose length may differ from rank to rank.
   *
   * @param elements its bytes, little endian
   * @param elementBytes size of one element, equal on all ranks, positive
   * @return the vector of every rank, in rank order, without padding
   */
  public List<byte[]> vector(byte[] elements, int elementBytes) {
    if (elementBytes < 1 || elements.length % elementBytes != 0) {
      throw new IllegalArgumentException(
          "%d bytes are no whole number of elements of %d bytes"
              .formatted(elements.length, elementBytes));
    }
    int[] lengths = int32(elements.length / elementBytes);
    int longestBytes = longest(lengths, elementBytes) * elementBytes;
    byte[] all = gather(Arrays.copyOf(elements, longestBytes));
    List<byte[]> vectors = new ArrayList<>(channel.size());
    for (int rank = 0; rank < channel.size(); rank++) {
      int start = rank * longestBytes;
      vectors.add(Arrays.copyOfRange(all, start, start + lengths[rank] * elementBytes));
    }
    return vectors;
  }

  /** A rank that answers with garbage must not make this one allocate as much as it says. */
  private int longest(int[] lengths, int elementBytes) {
    int longest = 0;
    int limit = MAX_VECTOR_BYTES / elementBytes / channel.size();
    for (int rank = 0; rank < lengths.length; rank++) {
      if (lengths[rank] < 0 || lengths[rank] > limit) {
        throw new FormationException(
            Reason.PEER_FAILED,
            ("rank %d: side channel: rank %d says that its vector has %d elements of %d bytes, want"
                    + " 0 to %d; do all ranks run the same program?")
                .formatted(channel.rank(), rank, lengths[rank], elementBytes, limit));
      }
      longest = Math.max(longest, lengths[rank]);
    }
    return longest;
  }

  /** Returns when every rank has called it. */
  public void barrier() {
    for (int round = 0; round < 2; round++) {
      int32(0);
    }
  }

  private byte[] gather(byte[] contribution) {
    return channel.gather(contribution, deadline.remainingNanos());
  }

  private static ByteBuffer bytes(int count) {
    return littleEndian(new byte[count]);
  }

  private static ByteBuffer littleEndian(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
