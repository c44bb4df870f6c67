package io.jaccl4j.testing.emulated;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** A posted send. Guarded by the network. */
final class SendRequest {
  private static final long UNKNOWN = Long.MAX_VALUE;

  private final long workId;
  private final long number;
  private final MemorySegment source;
  private final byte[] bytesAtPost;
  private final int immediate;
  private final WorkStatus status;
  private long deliveryTick;
  private long completionTick = UNKNOWN;
  private boolean completed;

  /**
   * A send of these bytes.
   *
   * @param number among the sends of its rank
   * @param status what it will end with
   */
  SendRequest(long workId, long number, MemorySegment source, int immediate, WorkStatus status) {
    this.workId = workId;
    this.number = number;
    this.source = source;
    this.bytesAtPost = source.toArray(ValueLayout.JAVA_BYTE);
    this.immediate = immediate;
    this.status = status;
  }

  long workId() {
    return workId;
  }

  long number() {
    return number;
  }

  byte[] bytes() {
    return bytesAtPost;
  }

  int immediate() {
    return immediate;
  }

  WorkStatus status() {
    return status;
  }

  boolean isIntact() {
    return source.mismatch(MemorySegment.ofArray(bytesAtPost)) == -1;
  }

  void deliverFrom(long tick) {
    deliveryTick = tick;
  }

  boolean isDue(long tick) {
    return tick >= deliveryTick;
  }

  void completeFrom(long tick) {
    completionTick = Math.min(completionTick, tick);
  }

  boolean isCompletable(long tick) {
    return tick >= completionTick;
  }

  void complete() {
    completed = true;
  }

  /** Whether its memory is the sender's again. */
  boolean isCompleted() {
    return completed;
  }
}
