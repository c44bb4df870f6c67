package io.jaccl4j.sidechannel;

/**
 * A side channel of the user's own: what JACCL takes as its all-gather function.
 *
 * <p>It may block; nobody calls it twice at a time.
 */
@FunctionalInterface
public interface GatherFunction {

  /**
   * One round.
   *
   * @param contribution this rank's bytes, as many as every other rank's
   * @return the contributions of all ranks, one after the other in rank order
   * @throws Exception whatever goes wrong; it becomes the cause of the failed formation
   */
  byte[] gather(byte[] contribution) throws Exception;

  /** Makes the function of one formation. */
  @FunctionalInterface
  interface Factory {

    /**
     * {@return the function of rank {@code rank} among {@code size}}
     *
     * @param rank the rank that opens it
     * @param size number of ranks
     * @throws Exception whatever goes wrong; it becomes the cause of the failed formation
     */
    GatherFunction open(int rank, int size) throws Exception;
  }
}
