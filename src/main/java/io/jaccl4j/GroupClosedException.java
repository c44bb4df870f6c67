package io.jaccl4j;

/** The group was closed on this rank. */
public final class GroupClosedException extends JacclException {
  private static final long serialVersionUID = 1L;

  /**
   * With a message.
   *
   * @param message what happened, where, and what to do
   */
  public GroupClosedException(String message) {
    super(message);
  }
}
