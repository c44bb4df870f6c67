package io.jaccl4j.multinode;

import java.time.Duration;

/** The process is gone from one moment to the next: only the failure detector can tell. */
class KillSpec extends LossSpec {
  static final int EXIT_CODE = 137;

  KillSpec() {
    super(Duration.ofSeconds(14));
  }

  @Override
  void end() {
    if (is(VICTIM)) {
      Runtime.getRuntime().halt(EXIT_CODE);
    }
  }
}
