package io.jaccl4j;

/** Root of everything that this library throws on purpose. */
public class JacclException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public JacclException(String message) {
    super(message);
  }

  public JacclException(String message, Throwable cause) {
    super(message, cause);
  }
}
