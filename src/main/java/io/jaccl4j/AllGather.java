package io.jaccl4j;

import java.util.List;
import java.util.Optional;

/**
 * Side channel that carries the connection metadata while a group forms: every rank contributes
 * some bytes and receives everybody's.
 *
 * <p>Calls are rounds: the n-th call on one rank belongs to the n-th call on every other. One
 * thread at a time; an instance belongs to one formation. Implement it to carry the metadata over
 * whatever connects your processes already:
 *
 * {@snippet file="io/jaccl4j/javadoc/AllGatherExample.java" region="all-gather"}
 */
@FunctionalInterface
public interface AllGather extends AutoCloseable {

  /**
   * One round. Contributions may differ in length and may be empty.
   *
   * @param contribution this rank's bytes; not modified, not kept after the call
   * @param timeoutNanos how long to wait for the other ranks, positive
   * @return the contribution of every rank, in rank order, own included
   * @throws FormationException if a rank is missing at the deadline (naming the missing ranks), a
   *     rank is known to be lost, or a contribution is too large for this channel
   */
  List<byte[]> allGather(byte[] contribution, long timeoutNanos);

  /**
   * Whether a peer is known to be lost, without waiting; any thread. Only a channel that stays
   * connected after the group is formed can tell.
   *
   * @return what happened to whom
   */
  default Optional<GroupFailure> loss() {
    return Optional.empty();
  }

  /** Releases the channel; a call under way on another thread fails. */
  @Override
  default void close() {}

  /** Makes the side channel of one formation. */
  @FunctionalInterface
  interface Factory {

    /**
     * {@return the channel of rank {@code rank} among {@code size}}
     *
     * @param rank the rank that opens it
     * @param size number of ranks
     */
    AllGather open(int rank, int size);
  }
}
