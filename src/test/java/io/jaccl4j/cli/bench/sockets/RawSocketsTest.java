package io.jaccl4j.cli.bench.sockets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jaccl4j.Session;
import io.jaccl4j.cli.bench.sockets.Wiring.Edge;
import io.jaccl4j.testing.LocalRanks;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RawSocketsTest {
  private static final long MAX_BYTES = 1 << 20;

  @Test
  void shouldJoinAnyTwoRanksOnceInAMeshAndNeighboursInARing() {
    assertThat(Wiring.MESH.edges(3))
        .containsExactly(new Edge(0, 1), new Edge(0, 2), new Edge(1, 2));
    assertThat(Wiring.RING.edges(3))
        .containsExactly(new Edge(0, 1), new Edge(1, 2), new Edge(2, 0));
    assertThat(Wiring.RING.edges(2)).containsExactly(new Edge(0, 1), new Edge(1, 0));
  }

  @ParameterizedTest
  @CsvSource({"MESH,2,1", "RING,2,2", "MESH,4,3", "RING,4,2"})
  void shouldMoveBytesThatSocketsCannotShareEvenly(Wiring wiring, int ranks, int sockets) {
    List<Integer> counts =
        LocalRanks.run(
            ranks,
            session -> {
              try (RawSockets raw = connect(session, wiring)) {
                raw.exchange(1);
                raw.exchange(MAX_BYTES - 1);
                raw.exchange(0);
                session.barrier();
                return raw.count();
              }
            });
    assertThat(counts).hasSize(ranks).containsOnly(sockets);
  }

  @Test
  void shouldGoThereAndBackBetweenTheFirstTwoRanksAlone() {
    LocalRanks.run(
        3,
        session -> {
          try (RawSockets raw = connect(session, Wiring.MESH)) {
            for (int i = 0; i < 100 && session.rank() < 2; i++) {
              raw.roundTrip(4);
            }
            session.barrier();
            return true;
          }
        });
  }

  @Test
  void shouldSayHowFarItCameWhenAPeerDoesNotTakePart() {
    AtomicLong nanos = new AtomicLong();
    LocalRanks.run(
        2,
        session -> {
          boolean waits = session.rank() == 0;
          try (RawSockets raw =
              RawSockets.connect(
                  session,
                  Wiring.MESH,
                  MAX_BYTES,
                  true,
                  () -> waits ? nanos.addAndGet(1_000_000_000) : System.nanoTime())) {
            if (waits) {
              assertThatThrownBy(() -> raw.exchange(4))
                  .isInstanceOf(IllegalStateException.class)
                  .hasMessageContaining("rank 0")
                  .hasMessageContaining("0 bytes for and 4 bytes from rank 1");
            }
            session.barrier();
            return true;
          }
        });
  }

  @Test
  void shouldNameThePeerThatHasClosed() {
    LocalRanks.run(
        2,
        session -> {
          RawSockets raw = connect(session, Wiring.MESH);
          if (session.rank() == 1) {
            raw.close();
          }
          session.barrier();
          if (session.rank() == 0) {
            assertThatThrownBy(() -> raw.exchange(1)).hasMessageContaining("raw socket to rank 1");
            raw.close();
          }
          return true;
        });
  }

  private static RawSockets connect(Session session, Wiring wiring) {
    return RawSockets.connect(session, wiring, MAX_BYTES, true, System::nanoTime);
  }
}
