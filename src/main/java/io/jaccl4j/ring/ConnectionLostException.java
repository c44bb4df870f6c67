package io.jaccl4j.ring;

/** A connection ended while something still had to be sent or received over it. */
final class ConnectionLostException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Connection connection;

  ConnectionLostException(Connection connection, String message, Throwable cause) {
    super(message, cause);
    this.connection = connection;
  }

  Connection connection() {
    return connection;
  }
}
