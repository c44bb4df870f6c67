package io.jaccl4j.cluster;

import io.jaccl4j.GroupCounters;
import io.jaccl4j.GroupEvent;
import io.jaccl4j.GroupFailure;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * What this member knows of one of its groups at one moment, for health checks and monitoring.
 *
 * @param group its name
 * @param size how many ranks it has, or shall have
 * @param stage how far it is
 * @param candidates addresses of the candidates seen while it formed
 * @param waitedNanos how long it had been forming when that was last reported
 * @param ranks epoch, own rank and the table of ranks, once they are agreed
 * @param links what the links are, once they are up
 * @param counters what this rank has done, once it was ready
 * @param failure why it failed or was not formed
 * @param engineAlive whether the engine thread is of use; true while there is none yet
 */
public record Membership(
    String group,
    int size,
    Stage stage,
    List<String> candidates,
    long waitedNanos,
    Optional<GroupEvent.RanksAssigned> ranks,
    Optional<GroupEvent.LinksUp> links,
    Optional<GroupCounters> counters,
    Optional<GroupFailure> failure,
    boolean engineAlive) {

  /** How far a group is. */
  public enum Stage {
    /** Looks for the other ranks, or connects to them. */
    FORMING,
    /** Operations can be submitted. */
    READY,
    /** Was ready, and failed. */
    FAILED,
    /** Was ready, and closed by this rank. */
    CLOSED,
    /** Never was ready. */
    NOT_FORMED;

    /** Whether nothing follows but another join. */
    boolean isOver() {
      return this != FORMING && this != READY;
    }
  }

  /** Copies the list. */
  public Membership {
    Objects.requireNonNull(stage);
    candidates = List.copyOf(candidates);
  }
}
