package io.jaccl4j.fabric;

import java.util.function.IntFunction;

/**
 * A fabric whose ends of wires are known to JACCL's ranks: it can be connected by JACCL's own
 * exchange, in which each wire's two ends learn 32 bytes of each other and nothing else.
 */
public interface JacclFabric extends Fabric {
  /** Bytes of what one end tells the other. */
  int DESTINATION_BYTES = 32;

  /** What the rank at the other end of a wire must know: JACCL's {@code Destination}. */
  byte[] jacclDestination(int wire);

  /** What stands where a rank of a mesh would connect to itself. */
  byte[] jacclSelf();

  /**
   * Connects every wire, instead of {@link #connect}.
   *
   * @param peers by number of a wire, what its other end has told
   */
  void connectJaccl(IntFunction<byte[]> peers);
}
