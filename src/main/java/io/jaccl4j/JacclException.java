package io.jaccl4j;

/** Root of everything that this library throws on purpose. */
public class JacclException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * With a message.
   *
   * @param message what happened, where, and what to do
   */
  public JacclException(String message) {
    super(message);
  }

  /**
   * With a message and a cause.
   *
   * @param message what happened, where, and what to do
   * @param cause what led to it
   */
  public JacclException(String message, Throwable cause) {
    super(message, cause);
  }
}
