package io.jaccl4j;

/** The group was closed on this rank. */
public final class GroupClosedException extends JacclException {
  private static final long serialVersionUID = 1L;

  public GroupClosedException(String message) {
    super(message);
  }
}
