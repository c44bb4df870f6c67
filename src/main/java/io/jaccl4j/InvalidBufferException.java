package io.jaccl4j;

/** A buffer cannot be used for the operation; nothing was sent and the group stays usable. */
public final class InvalidBufferException extends JacclException {
  private static final long serialVersionUID = 1L;

  /**
   * With a message.
   *
   * @param message what happened, where, and what to do
   */
  public InvalidBufferException(String message) {
    super(message);
  }
}
