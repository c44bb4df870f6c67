package io.jaccl4j.fabric;

/**
 * A reliable, ordered, two-way connection to one peer, shaped like a queue pair: receives and sends
 * are posted and complete in order per direction. A message is delivered only into a posted
 * receive; a sender that is ahead of its peer waits without an error.
 */
public interface Link {

  /** Rank at the other end. */
  int peer();

  /** Number of the wire. */
  int wire();

  /** Largest number of receives, and of sends, that may be posted and not yet released. */
  int depth();

  /**
   * Allows the peer's next message to be delivered.
   *
   * @param workId given back with the completion
   * @param capacityBytes largest message that is acceptable, at most the slot size
   */
  void postReceive(long workId, int capacityBytes);

  /**
   * {@link #postReceive(long, int)} with a place for the message that is expected next: a link that
   * can puts it there without a copy. One of another length or immediate, and any message on other
   * links, is delivered as if no place had been named: the completion tells where it is.
   *
   * @param workId given back with the completion
   * @param capacityBytes largest message that is acceptable, at most the slot size
   * @param offset where in the registered memory the message may go
   * @param bytes length of the message that is expected
   * @param immediate of the message that is expected
   */
  default void postReceive(long workId, int capacityBytes, long offset, int bytes, int immediate) {
    postReceive(workId, capacityBytes);
  }

  /**
   * Sends bytes of this rank's {@link RegisteredMemory}. They must not change until the completion.
   *
   * @param workId given back with the completion
   * @param offset where in the registered memory
   * @param bytes length, at most the slot size
   * @param immediate delivered with the message
   */
  void postSend(long workId, long offset, int bytes, int immediate);

  /**
   * Hands the oldest delivered message's memory back; messages are released in the order of their
   * delivery.
   */
  void release();

  /** How far both directions are. */
  LinkCounters counters();
}
