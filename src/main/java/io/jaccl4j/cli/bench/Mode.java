package io.jaccl4j.cli.bench;

import io.jaccl4j.cli.job.RankJob;

/** Where the operations that are measured are called. */
public enum Mode {
  /** On the engine thread, by {@code group.run}. */
  SESSION("session", RankJob.Place.ENGINE_THREAD),
  /** On another thread, by the group's own methods: one hand-over to the engine and back each. */
  HAND_OVER("hand-over", RankJob.Place.OWN_THREAD);

  private final String label;
  private final RankJob.Place place;

  Mode(String label, RankJob.Place place) {
    this.label = label;
    this.place = place;
  }

  /** Its name in results. */
  public String label() {
    return label;
  }

  /** Where a job of this mode runs. */
  RankJob.Place place() {
    return place;
  }
}
