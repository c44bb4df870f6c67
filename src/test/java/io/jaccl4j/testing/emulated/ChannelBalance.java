package io.jaccl4j.testing.emulated;

/**
 * Counts of one direction of one wire.
 *
 * @param sendsPosted by the sender
 * @param sendsCompleted reported to the sender
 * @param delivered messages in a receive slot or beyond
 * @param receivesPosted by the receiver
 * @param receivesCompleted reported to the receiver
 * @param receivesReleased handed back by the receiver
 */
public record ChannelBalance(
    int wire,
    int sender,
    int receiver,
    long sendsPosted,
    long sendsCompleted,
    long delivered,
    long receivesPosted,
    long receivesCompleted,
    long receivesReleased) {

  /**
   * Whether both queues are empty: everything sent was delivered, every receive was used and handed
   * back. A sender need not have polled for the completions of its last sends.
   */
  public boolean isQuiet() {
    return sendsPosted == delivered
        && receivesPosted == delivered
        && receivesCompleted == delivered
        && receivesReleased == delivered;
  }
}
