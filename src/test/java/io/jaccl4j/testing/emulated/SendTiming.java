package io.jaccl4j.testing.emulated;

/** When a send completes, seen from the delivery of its message. */
public enum SendTiming {
  /** At once: the bytes are on their way, the memory is free again. */
  EARLY,
  /** With the delivery. */
  ON_DELIVERY,
  /** Several polls after the delivery. */
  LATE,
  /** One of the others, chosen for each message. */
  ANY
}
