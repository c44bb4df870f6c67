package io.jaccl4j;

/** An operation needs a rank that died, was cut off or left. */
public final class PeerLostException extends GroupFailedException {
  private static final long serialVersionUID = 1L;

  public PeerLostException(GroupFailure failure, String operation) {
    super(failure, operation);
  }

  /** The lost rank. */
  public int rank() {
    return failure().rank();
  }

  /** The lost rank's address. */
  public String address() {
    return failure().address();
  }
}
