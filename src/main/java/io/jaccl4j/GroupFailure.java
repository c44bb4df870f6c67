package io.jaccl4j;

import java.util.Objects;

/**
 * Why a group failed: the first cause, the same on every rank that can be told.
 *
 * @param kind what kind of failure
 * @param rank the rank at fault, or -1 if none can be named
 * @param address that rank's address, or the empty string
 * @param reportedBy the rank that saw it first
 * @param detail one sentence for people: phase, got and want, what to do next
 */
public record GroupFailure(Kind kind, int rank, String address, int reportedBy, String detail) {

  /** What to expect of a failure. */
  public enum Kind {
    /** A rank died, was cut off, or left while others still needed it. Join again. */
    PEER_LOST,
    /** A rank did not do its part in time. Look for a blocked rank, then join again. */
    OPERATION_TIMEOUT,
    /** Two ranks called different operations. Mend the program. */
    OPERATION_MISMATCH,
    /** A link or its memory failed. See the detail. */
    FABRIC,
    /** This rank is no longer part of the group: the others go on without it. Join again. */
    EXCLUDED,
    /** The group could not be formed. See the detail. */
    FORMATION,
    /** A defect of this library. */
    INTERNAL
  }

  /** Refuses what has no kind. */
  public GroupFailure {
    Objects.requireNonNull(kind);
    Objects.requireNonNull(address);
    Objects.requireNonNull(detail);
  }

  /**
   * {@return the exception that an operation ends with because of this failure}
   *
   * @param operation what has failed, for the message
   * @param sequence its number in the group
   */
  public JacclException toException(String operation, long sequence) {
    return toException(operation + " #" + sequence);
  }

  /**
   * {@return the exception that something ends with because of this failure}
   *
   * @param what what has failed, for the message
   */
  public JacclException toException(String what) {
    return switch (kind) {
      case PEER_LOST, EXCLUDED -> new PeerLostException(this, what);
      case OPERATION_TIMEOUT -> new OperationTimeoutException(this, what);
      case OPERATION_MISMATCH -> new OperationMismatchException(this, what);
      case FORMATION -> new FormationException(FormationException.Reason.PEER_FAILED, detail);
      case FABRIC, INTERNAL -> new GroupFailedException(this, what);
    };
  }

  /** {@return {@code rank 2 (pekko://app@host:port)}, or "no rank"} */
  public String culprit() {
    return rank < 0 ? "no rank" : "rank " + rank + " (" + address + ")";
  }
}
