package io.jaccl4j;

/** Too many operations are waiting for the engine; nothing was sent and the group stays usable. */
public final class QueueFullException extends JacclException {
  private static final long serialVersionUID = 1L;

  /**
   * With a message.
   *
   * @param message what happened, where, and what to do
   */
  public QueueFullException(String message) {
    super(message);
  }
}
