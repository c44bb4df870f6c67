package io.jaccl4j.fabric;

import java.util.List;

/**
 * The links of one rank to all its peers, and the memory that they send from.
 *
 * <p>Life: {@link FabricProvider#open} reserves what this rank needs; {@link #destination()} goes
 * to every peer over the side channel; {@link #connect} brings the links up; {@link #established()}
 * follows once every rank has connected; then posts and polls; {@link #close()} from any state.
 * Engine thread only. Failures are {@link FabricException}s.
 */
public interface Fabric extends AutoCloseable {

  /** Name of the transport, as in the configuration. */
  String name();

  /** What peers must know to connect to this rank. */
  byte[] destination();

  /**
   * Connects to every peer.
   *
   * @param destinations of all ranks in rank order, own included
   */
  void connect(List<byte[]> destinations);

  /** Every rank has connected: what was only needed to find each other can go. */
  void established();

  /** This rank's end of a wire. */
  Link link(int wire);

  /** The memory that the links of this rank send from. */
  RegisteredMemory memory();

  /**
   * Delivers the completions that are there, without waiting.
   *
   * @return how many were delivered
   */
  int poll(CompletionHandler handler);

  /**
   * Moves on what was posted and does not move by itself, without delivering completions. Called
   * while no operation runs: a send may outlive its operation.
   *
   * @return whether something is left, so that this must be called again soon
   */
  default boolean progress() {
    return false;
  }

  /**
   * Whether a poll in vain calls the kernel for every link. Where ranks outnumber processors, one
   * such poll costs about what it takes to let the awaited rank run.
   */
  default boolean pollsTheKernel() {
    return false;
  }

  /**
   * Whether a message costs its sender and receiver more than its way takes: then fewer messages
   * one after the other are faster than more of them at once. The same on all ranks.
   */
  default boolean prefersFewMessages() {
    return false;
  }

  /**
   * Looks for trouble that no completion tells, such as a port that has gone down. Called now and
   * then while an operation waits.
   */
  default void check() {}

  /**
   * Sleeps until a completion comes, or a little while.
   *
   * @return whether it did, or made ready to: poll before the next call; false if this fabric
   *     cannot
   */
  default boolean awaitCompletion() {
    return false;
  }

  /** For people: what the links are and what memory they use. */
  String describe();

  /** Releases everything. Idempotent. Memory handed out becomes inaccessible. */
  @Override
  void close();
}
