package io.jaccl4j.sidechannel;

import io.jaccl4j.AllGather;
import io.jaccl4j.FormationException;
import io.jaccl4j.GroupFailure;
import java.util.Optional;

/**
 * A side channel as JACCL has it: every rank contributes equally many bytes, and nothing but these
 * bytes travels. {@link SizedAllGather} makes an {@link AllGather} of it, whose contributions may
 * differ in length; {@link #over} makes one of an {@link AllGather}.
 *
 * <p>Calls are rounds: the n-th call on one rank belongs to the n-th call on every other. One
 * thread at a time. A channel that failed stays failed, with its first cause.
 */
public interface UniformAllGather extends AutoCloseable {

  /** {@return this rank} */
  int rank();

  /** {@return the number of ranks} */
  int size();

  /**
   * One round.
   *
   * @param contribution this rank's bytes, as many as every other rank's; may be empty; not
   *     modified, not kept
   * @param timeoutNanos how long to wait for the other ranks, positive
   * @return {@code size} times as many bytes: the contributions in rank order
   * @throws FormationException if a rank is missing at the deadline, lost, or contributes another
   *     number of bytes, as far as the channel can tell; names the rank
   */
  byte[] gather(byte[] contribution, long timeoutNanos);

  /**
   * Whether a peer is known to be lost, without waiting; any thread. Only channels that stay
   * connected can tell.
   *
   * @return what happened to whom
   */
  default Optional<GroupFailure> loss() {
    return Optional.empty();
  }

  /** Releases the channel; a call under way on another thread fails. Any thread. */
  @Override
  void close();

  /** Makes the channel of one formation. */
  @FunctionalInterface
  interface Factory {

    /**
     * {@return the channel of rank {@code rank} among {@code size}}
     *
     * @param rank the rank that opens it
     * @param size number of ranks
     */
    UniformAllGather open(int rank, int size);
  }

  /**
   * {@return the same over a channel whose contributions may differ in length, which is then
   * refused}
   *
   * @param allGather what carries the bytes
   * @param rank the rank that opens it
   * @param size number of ranks
   */
  static UniformAllGather over(AllGather allGather, int rank, int size) {
    return new GatherOverAllGather(allGather, rank, size);
  }
}
