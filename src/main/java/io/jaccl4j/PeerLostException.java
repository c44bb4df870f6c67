package io.jaccl4j;

/** An operation needs a rank that died, was cut off or left. */
public final class PeerLostException extends GroupFailedException {
  private static final long serialVersionUID = 1L;

  /**
   * What one operation ends with.
   *
   * @param failure the group's first failure
   * @param operation what has failed, for the message
   */
  public PeerLostException(GroupFailure failure, String operation) {
    super(failure, operation);
  }

  /** {@return the lost rank} */
  public int rank() {
    return failure().rank();
  }

  /** {@return the lost rank's address} */
  public String address() {
    return failure().address();
  }
}
