package io.jaccl4j.fabric;

import io.jaccl4j.JacclException;

/** A link or its memory failed. */
public final class FabricException extends JacclException {
  private static final long serialVersionUID = 1L;

  private final int peer;

  /** A failure that no peer is to blame for. */
  public FabricException(String message, Throwable cause) {
    this(-1, message, cause);
  }

  /**
   * A failure of one link.
   *
   * @param peer rank at the other end
   */
  public FabricException(int peer, String message, Throwable cause) {
    super(message, cause);
    this.peer = peer;
  }

  /** Rank at the other end of the link, or -1. */
  public int peer() {
    return peer;
  }
}
