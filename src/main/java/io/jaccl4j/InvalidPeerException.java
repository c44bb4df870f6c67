package io.jaccl4j;

/** No such peer for the operation; nothing was sent and the group stays usable. */
public final class InvalidPeerException extends JacclException {
  private static final long serialVersionUID = 1L;

  /**
   * With a message.
   *
   * @param message what happened, where, and what to do
   */
  public InvalidPeerException(String message) {
    super(message);
  }
}
