package io.jaccl4j;

/** State of a group on this rank. There is no way back to an earlier one. */
public enum GroupHealth {
  /** Operations can be submitted. */
  READY,
  /** A rank was lost or an operation failed; see {@link Group#failure()}. */
  FAILED,
  /** {@link Group#close()} was called. */
  CLOSED
}
