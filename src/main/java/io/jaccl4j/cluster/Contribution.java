package io.jaccl4j.cluster;

import java.util.BitSet;
import java.util.List;

/**
 * One rank's bytes of one round while they arrive in parts, in any order and more than once. Knows
 * nothing of its length until the first part is there.
 */
final class Contribution {

  private byte[] bytes;
  private int partBytes;
  private final BitSet missing = new BitSet();
  private final BitSet onTheWay = new BitSet();

  /** Number of parts of a contribution; an empty one travels as one empty part. */
  static int parts(int totalBytes, int partBytes) {
    return Math.max(1, Math.ceilDiv(totalBytes, partBytes));
  }

  /** Takes a part. One that contradicts those before it is ignored, and asked for again. */
  void accept(RemoteMessage.Part part) {
    if (!consistent(part)) {
      return;
    }
    if (bytes == null) {
      bytes = new byte[part.totalBytes()];
      partBytes = part.partBytes();
      missing.set(0, parts(bytes.length, partBytes));
      onTheWay.set(0, Math.min(GatherExchange.WINDOW_PARTS, missing.length()));
    }
    System.arraycopy(part.payload(), 0, bytes, part.index() * partBytes, part.payload().length);
    missing.clear(part.index());
    onTheWay.clear(part.index());
  }

  private boolean consistent(RemoteMessage.Part part) {
    if (part.totalBytes() < 0 || part.partBytes() < 1) {
      return false;
    }
    if (bytes != null && (bytes.length != part.totalBytes() || partBytes != part.partBytes())) {
      return false;
    }
    long offset = (long) part.index() * part.partBytes();
    return part.index() >= 0
        && part.index() < parts(part.totalBytes(), part.partBytes())
        && part.payload().length == Math.min(part.partBytes(), part.totalBytes() - offset);
  }

  boolean complete() {
    return bytes != null && missing.isEmpty();
  }

  /** Whether everything that was asked for is there, and still not all. */
  boolean windowDone() {
    return bytes != null && onTheWay.isEmpty() && !missing.isEmpty();
  }

  /** What to ask for next: the lowest missing parts; empty if nothing has arrived yet. */
  List<Integer> nextWindow() {
    onTheWay.clear();
    missing.stream().limit(GatherExchange.WINDOW_PARTS).forEach(onTheWay::set);
    return onTheWay.stream().boxed().toList();
  }

  byte[] bytes() {
    return bytes;
  }
}
