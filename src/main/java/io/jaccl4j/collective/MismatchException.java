package io.jaccl4j.collective;

import io.jaccl4j.JacclException;

/** A message belongs to another operation than the one under way. */
public final class MismatchException extends JacclException {
  private static final long serialVersionUID = 1L;

  private final int peer;

  MismatchException(int peer, String message) {
    super(message);
    this.peer = peer;
  }

  /** The rank that does something else. */
  public int peer() {
    return peer;
  }
}
