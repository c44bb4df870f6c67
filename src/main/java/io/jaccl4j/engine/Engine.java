package io.jaccl4j.engine;

import io.jaccl4j.Group;
import io.jaccl4j.GroupFailure;
import java.util.concurrent.CompletionStage;

/**
 * How control reaches the engine of one group. All methods return at once and may be called from
 * any thread; what happens is reported to the {@link EngineListener}.
 */
public interface Engine {

  /**
   * Starts the engine thread, which opens the fabric, gathers the metadata over the formation's
   * side channel and brings the links up. Once only.
   *
   * @return the group when every rank is connected, or a {@link io.jaccl4j.FormationException}
   */
  CompletionStage<Group> connect(Formation formation);

  /**
   * Fails the group: what is pending and what comes later ends with this cause. First call wins.
   */
  void abort(GroupFailure cause);

  /**
   * A peer has closed its side in good order. Collectives that it had completed go on here; later
   * ones, and transfers with it that have nothing left to receive, fail.
   *
   * @param completedCollectives how many collectives the peer had completed
   */
  void peerLeft(int rank, long completedCollectives);

  /** Leaves the group as {@link Group#close()} does, without waiting. Idempotent. */
  void close();

  /**
   * Whether the engine thread is of use: not started yet, at work, or ended in good order. False
   * when it died of an error or does not come back from a call into a driver; then only a new
   * process helps.
   */
  boolean alive();

  /**
   * Completes when nothing of this engine is left: neither its thread, nor links, nor memory. Not
   * before {@link #close()} or {@link Group#close()} once it has connected, and never if the thread
   * does not come back from a call into a driver.
   */
  CompletionStage<Void> released();

  /** Makes the engine of one formation. */
  @FunctionalInterface
  interface Factory {

    /** An engine that reports to a listener. */
    Engine create(EngineListener listener);
  }
}
