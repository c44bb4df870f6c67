package io.jaccl4j.collective;

import static org.assertj.core.api.Assumptions.assumeThat;

import io.jaccl4j.Dtype;
import io.jaccl4j.GroupSettings;
import io.jaccl4j.Session;
import io.jaccl4j.Topology;
import io.jaccl4j.testing.LargeBuffers;
import io.jaccl4j.testing.LocalRanks;
import io.jaccl4j.testing.TestSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Buffers that a 32-bit offset cannot address. */
class LargeBufferTest {
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

  @ParameterizedTest
  @EnumSource(names = {"MESH", "RING"})
  void shouldSumBuffersLargerThanTwoGibibytes(Topology topology) {
    run(
        topology,
        session -> {
          buffers.mark(session.rank(), session.rank() + 1);
          session.allSum(buffers.of(session.rank()), buffers.of(session.rank()), Dtype.INT8);
        });
    buffers.checkOnlyMarked(0, 3);
    buffers.checkOnlyMarked(1, 3);
  }

  @ParameterizedTest
  @EnumSource(names = {"MESH", "RING"})
  void shouldGatherMoreThanTwoGibibytes(Topology topology) {
    run(
        topology,
        session -> {
          buffers.markBlock(session.rank());
          session.allGather(buffers.block(session.rank()), buffers.of(session.rank()));
        });
    buffers.checkOnlyMarked(0, 1);
    buffers.checkOnlyMarked(1, 1);
  }

  @ParameterizedTest
  @EnumSource(names = {"MESH", "RING"})
  void shouldSendMoreThanTwoGibibytes(Topology topology) {
    buffers.mark(0, 1);
    run(
        topology,
        session -> {
          if (session.rank() == 0) {
            session.send(buffers.of(0), 1);
          } else {
            session.recv(buffers.of(1), 0);
          }
        });
    buffers.checkOnlyMarked(1, 1);
  }

  private static void run(Topology topology, Consumer<Session> body) {
    GroupSettings settings =
        TestSettings.of("large", LargeBuffers.SIZE)
            .withTopology(topology)
            .withOperationTimeout(Duration.ofSeconds(50));
    try (LocalRanks ranks = LocalRanks.form(settings)) {
      ranks.runOnAll(body);
    }
  }
}
