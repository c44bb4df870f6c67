package io.jaccl4j.fabric;

/**
 * How far both directions of a link are, for errors: where they differ between the two ends, a
 * message is on its way or lost.
 *
 * @param wire number of the wire
 * @param sendsPosted by this rank
 * @param sendsComplete of these
 * @param receivesPosted by this rank
 * @param delivered messages that came into them
 * @param released messages whose memory was handed back
 */
public record LinkCounters(
    int wire,
    long sendsPosted,
    long sendsComplete,
    long receivesPosted,
    long delivered,
    long released) {

  @Override
  public String toString() {
    return "wire "
        + wire
        + ": "
        + sendsPosted
        + " sends posted, "
        + sendsComplete
        + " complete; "
        + receivesPosted
        + " receives posted, "
        + delivered
        + " delivered, "
        + released
        + " released";
  }
}
