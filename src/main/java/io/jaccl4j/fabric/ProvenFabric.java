package io.jaccl4j.fabric;

import java.util.List;
import java.util.Map;

/**
 * A fabric that does not take its cabling on trust: once every rank has connected, bytes go through
 * each wire, and each end sees whose they are.
 */
public interface ProvenFabric extends Fabric {

  /** One round over the side channel. */
  interface Gathering {

    /** What all ranks contribute, in rank order. Blocks until all have, or throws. */
    List<byte[]> gather(byte[] contribution);
  }

  /**
   * Tries every wire. All ranks do so together, after {@link #connect} and before {@link
   * #established()}, and come to the same end. Whatever fails, the last thing is a gathering.
   *
   * @param remainingNanos time that all of it may take
   * @return by number of a wire, why it cannot be used; empty if all can
   */
  Map<Integer, String> prove(Gathering gathering, long remainingNanos);
}
