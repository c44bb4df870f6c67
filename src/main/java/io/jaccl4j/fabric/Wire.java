package io.jaccl4j.fabric;

/**
 * One connection between two ranks. All ranks number the wires of a group alike; two ranks may have
 * several in common.
 *
 * @param number its place among the wires of the group
 * @param first rank at one end
 * @param second rank at the other end
 */
public record Wire(int number, int first, int second) {

  /** Whether a rank is at one of the ends. */
  public boolean ends(int rank) {
    return rank == first || rank == second;
  }

  /** The rank at the other end. */
  public int peerOf(int rank) {
    return rank == first ? second : first;
  }
}
