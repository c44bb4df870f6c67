package io.jaccl4j.fabric.verbs;

import io.jaccl4j.fabric.verbs.abi.IbvNames;
import java.time.Duration;

/**
 * What the queue pairs of a group are made with.
 *
 * @param type of the header's types
 * @param sends posted at one time
 * @param receives posted at one time
 * @param timeoutExponent of a reliable connection: 4.096 microseconds times two to this power until
 *     a packet is sent again
 */
record QueuePairPlan(int type, int sends, int receives, byte timeoutExponent) {
  private static final double TIMEOUT_UNIT_NANOS = 4096;
  private static final int ATTEMPTS = 8;
  private static final int MIN_EXPONENT = 8;
  private static final int MAX_EXPONENT = 16;

  /**
   * The exponent with which all attempts together take at most half of an operation's time: a peer
   * that has gone is then reported by the connection and not by the deadline.
   */
  static byte timeoutExponent(Duration operationTimeout) {
    double perAttemptNanos = operationTimeout.toNanos() / 2.0 / ATTEMPTS;
    int exponent = (int) Math.floor(Math.log(perAttemptNanos / TIMEOUT_UNIT_NANOS) / Math.log(2));
    return (byte) Math.clamp(exponent, MIN_EXPONENT, MAX_EXPONENT);
  }

  String describe() {
    return IbvNames.queuePair(type) + ", " + sends + " sends, " + receives + " receives";
  }
}
