package io.jaccl4j.testing.emulated;

/**
 * A request that a rank posted.
 *
 * @param rank who posted it
 * @param kind receive or send
 * @param wire number of the wire
 * @param peer rank at the other end
 * @param bytes length of a send, capacity of a receive
 */
public record RecordedPost(int rank, WorkKind kind, int wire, int peer, int bytes) {

  @Override
  public String toString() {
    return kind + " " + bytes + " on wire " + wire + " with " + peer;
  }
}
