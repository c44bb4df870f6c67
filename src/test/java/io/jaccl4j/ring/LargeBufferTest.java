package io.jaccl4j.ring;

import static org.assertj.core.api.Assumptions.assumeThat;

import io.jaccl4j.Dtype;
import io.jaccl4j.testing.LargeBuffers;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Buffers that neither a 32-bit offset nor one of a channel's buffers can address. */
class LargeBufferTest {
  private static final RingOptions OPTIONS =
      RingOptions.of(Duration.ofSeconds(20), Duration.ofSeconds(100));

  private LargeBuffers buffers;

  @BeforeEach
  void map() throws IOException {
    assumeThat(LargeBuffers.obstacle()).isEmpty();
    buffers = LargeBuffers.map();
  }

  @AfterEach
  void unmap() {
    if (buffers != null) {
      buffers.close();
    }
  }

  /** Over one connection in two parts of more than a gibibyte, and over three. */
  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void shouldSumBuffersLargerThanTwoGibibytes(int connections) {
    try (RingRanks ranks = RingRanks.form(LargeBuffers.SIZE, connections, OPTIONS)) {
      ranks.runOnAll(
          ring -> {
            buffers.mark(ring.rank(), ring.rank() + 1);
            ring.allSum(buffers.of(ring.rank()), buffers.of(ring.rank()), Dtype.INT8);
          });
    }
    buffers.checkOnlyMarked(0, 3);
    buffers.checkOnlyMarked(1, 3);
  }

  @Test
  void shouldGatherMoreThanTwoGibibytes() {
    try (RingRanks ranks = RingRanks.form(LargeBuffers.SIZE, 1, OPTIONS)) {
      ranks.runOnAll(
          ring -> {
            buffers.markBlock(ring.rank());
            ring.allGather(buffers.block(ring.rank()), buffers.of(ring.rank()));
          });
    }
    buffers.checkOnlyMarked(0, 1);
    buffers.checkOnlyMarked(1, 1);
  }

  @Test
  void shouldSendMoreThanTwoGibibytes() {
    buffers.mark(0, 1);
    try (RingRanks ranks = RingRanks.form(LargeBuffers.SIZE, 1, OPTIONS)) {
      ranks.runOnAll(
          ring -> {
            if (ring.rank() == 0) {
              ring.send(buffers.of(0), 1);
            } else {
              ring.recv(buffers.of(1), 0);
            }
          });
    }
    buffers.checkOnlyMarked(1, 1);
  }
}
