package io.jaccl4j.sidechannel;

import io.jaccl4j.FormationException;
import io.jaccl4j.FormationException.Reason;

/**
 * Errors of one rank's side channel.
 *
 * @param channel what it is, such as {@code TCP coordinator}
 * @param rank this rank
 * @param size number of ranks
 */
record Complaints(String channel, int rank, int size) {

  FormationException of(Reason reason, String phase, String detail) {
    return new FormationException(reason, text(phase, detail));
  }

  FormationException of(Reason reason, String phase, String detail, Throwable cause) {
    return new FormationException(reason, text(phase, detail), cause);
  }

  FormationException interrupted(String phase, Throwable cause) {
    Thread.currentThread().interrupt();
    return of(Reason.STOPPED, phase, "the thread was interrupted", cause);
  }

  private String text(String phase, String detail) {
    return "rank %d of %d: %s, %s: %s".formatted(rank, size, channel, phase, detail);
  }

  /** The first cause again, with the stack of this call. */
  static FormationException again(FormationException first) {
    return new FormationException(first.reason(), first.getMessage(), first);
  }
}
