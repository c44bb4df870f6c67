package io.jaccl4j.ring;

/** The other end of a new connection is not the expected neighbour. */
final class HandshakeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean isFinal;

  /**
   * @param isFinal whether no other attempt can go better
   */
  HandshakeException(String message, boolean isFinal) {
    super(message);
    this.isFinal = isFinal;
  }

  boolean isFinal() {
    return isFinal;
  }
}
