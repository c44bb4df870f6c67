package io.jaccl4j.ring;

/** Two ranks do not do the same operation. */
final class MismatchException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int peer;

  MismatchException(int peer, String message) {
    super(message);
    this.peer = peer;
  }

  int peer() {
    return peer;
  }
}
