package io.jaccl4j.sidechannel;

import io.jaccl4j.FormationException.Reason;
import java.io.IOException;

/** Waits for files to appear: looks again and again, since no shared file system tells. */
final class DirectoryWait {
  private static final long FIRST_PAUSE_MILLIS = 1;
  private static final long LONGEST_PAUSE_MILLIS = 20;

  /** Whether what is waited for has come. */
  @FunctionalInterface
  interface Condition {
    boolean holds() throws IOException;
  }

  private final Complaints complaints;
  private volatile boolean closed;

  DirectoryWait(Complaints complaints) {
    this.complaints = complaints;
  }

  /**
   * Waits until a condition holds.
   *
   * @return false at the deadline
   */
  boolean until(Condition condition, Deadline deadline, String phase) throws IOException {
    long pauseMillis = FIRST_PAUSE_MILLIS;
    while (true) {
      throwIfClosed(phase);
      // Before the look: what has come by then counts.
      boolean last = deadline.isPast();
      if (condition.holds()) {
        return true;
      }
      if (last) {
        return false;
      }
      try {
        Thread.sleep(Math.min(pauseMillis, deadline.waitMillis()));
      } catch (InterruptedException e) {
        throw complaints.interrupted(phase, e);
      }
      pauseMillis = Math.min(2 * pauseMillis, LONGEST_PAUSE_MILLIS);
    }
  }

  void throwIfClosed(String phase) {
    if (closed) {
      throw complaints.of(Reason.STOPPED, phase, "the channel was closed on this rank");
    }
  }

  /** Ends a wait under way, and all later ones. Any thread. */
  void stop() {
    closed = true;
  }
}
