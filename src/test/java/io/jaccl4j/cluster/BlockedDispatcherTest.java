package io.jaccl4j.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.jaccl4j.testing.ChildJvm;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** An application that blocks its dispatcher delays itself alone. */
class BlockedDispatcherTest {

  @Test
  void shouldFormAndLoseFourGroupsOnOneProcessorWhileTheApplicationBlocksItsDispatcher()
      throws IOException, InterruptedException {
    assertThat(
            ChildJvm.output(
                BlockedDispatcher.class,
                "-XX:ActiveProcessorCount=1",
                "-XX:TieredStopAtLevel=1",
                "--sun-misc-unsafe-memory-access=allow"))
        .contains(BlockedDispatcher.FORMED, BlockedDispatcher.LOST);
  }
}
