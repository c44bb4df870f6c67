package io.jaccl4j.testing.emulated;

/** A completion that no request asked for, reported right after a true one. */
public enum ExtraCompletion {
  /** The true one once more. */
  DUPLICATE,
  /** With a work id that was never posted. */
  UNKNOWN_WORK_ID,
  /** The true one, but for another link of the same rank. Needs three ranks. */
  OTHER_LINK
}
