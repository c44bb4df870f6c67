package io.jaccl4j;

/** A group could not be formed. Nothing of it is left on this rank. */
public final class FormationException extends JacclException {
  private static final long serialVersionUID = 1L;

  /** What kept the group from forming. */
  public enum Reason {
    /** The deadline passed with ranks missing. */
    TIMEOUT,
    /** The group has all its ranks already. */
    GROUP_FULL,
    /** Two members have different settings. */
    SETTINGS_DIFFER,
    /** A fixed rank is out of range or claimed twice. */
    RANK_CONFLICT,
    /** A rank was lost or failed while the group formed. */
    PEER_FAILED,
    /** The links of this rank could not be brought up. */
    FABRIC,
    /** This member left the cluster or stopped. */
    STOPPED
  }

  /** What kept the group from forming. */
  private final Reason reason;

  /**
   * With a message.
   *
   * @param reason what kept the group from forming
   * @param message what happened, where, and what to do
   */
  public FormationException(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  /**
   * With a message and a cause.
   *
   * @param reason what kept the group from forming
   * @param message what happened, where, and what to do
   * @param cause what led to it
   */
  public FormationException(Reason reason, String message, Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  /** {@return what kept the group from forming} */
  public Reason reason() {
    return reason;
  }
}
