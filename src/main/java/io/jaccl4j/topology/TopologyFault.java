package io.jaccl4j.topology;

/**
 * Why the cabling is no mesh or no ring.
 *
 * @param rank rank at one end of the cable at fault
 * @param peer rank at the other end; equal to {@code rank} where no pair is at fault
 * @param detail for people
 */
public record TopologyFault(int rank, int peer, String detail) {

  /** Whether it is about these two ranks, in either order. */
  public boolean isBetween(int first, int second) {
    return (rank == first && peer == second) || (rank == second && peer == first);
  }

  @Override
  public String toString() {
    return detail;
  }
}
