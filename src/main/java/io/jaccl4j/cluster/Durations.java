package io.jaccl4j.cluster;

import java.time.Duration;

/** Durations as people read them. */
final class Durations {

  private Durations() {}

  static String text(Duration duration) {
    return duration.toMillis() < 10_000 ? duration.toMillis() + " ms" : duration.toSeconds() + " s";
  }
}
