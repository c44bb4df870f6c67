package io.jaccl4j;

/** No such peer for the operation; nothing was sent and the group stays usable. */
public final class InvalidPeerException extends JacclException {
  private static final long serialVersionUID = 1L;

  public InvalidPeerException(String message) {
    super(message);
  }
}
