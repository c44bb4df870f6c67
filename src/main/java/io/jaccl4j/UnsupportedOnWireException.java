package io.jaccl4j;

/** JACCL has no such operation; nothing was sent and the group stays usable. */
public final class UnsupportedOnWireException extends JacclException {
  private static final long serialVersionUID = 1L;

  /**
   * With a message.
   *
   * @param message what happened, where, and what to do
   */
  public UnsupportedOnWireException(String message) {
    super(message);
  }
}
