package io.jaccl4j;

/**
 * A configuration cannot be used. The message says which value, where it was set and what to set.
 */
public class ConfigurationException extends JacclException {
  private static final long serialVersionUID = 1L;

  /**
   * With a message.
   *
   * @param message what happened, where, and what to do
   */
  public ConfigurationException(String message) {
    super(message);
  }

  /**
   * With a message and a cause.
   *
   * @param message what happened, where, and what to do
   * @param cause what led to it
   */
  public ConfigurationException(String message, Throwable cause) {
    super(message, cause);
  }
}
