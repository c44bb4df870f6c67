package io.jaccl4j;

/**
 * One rank as every rank knows it.
 *
 * @param rank its rank
 * @param address address of its cluster member or endpoint
 * @param incarnation tells restarts on one address apart
 * @param host name of its machine
 */
public record GroupMember(int rank, String address, long incarnation, String host) {

  @Override
  public String toString() {
    return "rank " + rank + " (" + address + ")";
  }
}
