package io.jaccl4j.multinode;

import java.time.Duration;

/** The process leaves in order, so the others learn of it at once. */
class ExitSpec extends LossSpec {
  static final int EXIT_CODE = 3;

  ExitSpec() {
    super(Duration.ofSeconds(10));
  }

  @Override
  void end() {
    if (is(0)) {
      exit(VICTIM, EXIT_CODE);
    }
  }
}
