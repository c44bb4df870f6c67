package io.jaccl4j;

/**
 * A configuration cannot be used. The message says which value, where it was set and what to set.
 */
public class ConfigurationException extends JacclException {
  private static final long serialVersionUID = 1L;

  public ConfigurationException(String message) {
    super(message);
  }

  public ConfigurationException(String message, Throwable cause) {
    super(message, cause);
  }
}
