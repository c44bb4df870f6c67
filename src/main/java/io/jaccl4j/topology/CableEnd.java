package io.jaccl4j.topology;

/**
 * One end of a cable.
 *
 * @param rank whose device it is
 * @param device name of the RDMA device, as that rank's machine calls it
 */
public record CableEnd(int rank, String device) {

  @Override
  public String toString() {
    return "rank " + rank + " " + device;
  }
}
