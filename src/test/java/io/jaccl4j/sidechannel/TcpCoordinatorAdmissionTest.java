package io.jaccl4j.sidechannel;

import static org.assertj.core.api.Assertions.assertThat;

import io.jaccl4j.FormationException.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who gets a place, whoever else comes to the door. */
@Timeout(60)
class TcpCoordinatorAdmissionTest extends TcpCoordinatorFixture {
  @Test
  void shouldNameEveryMissingRank() throws Exception {
    Future<TcpCoordinator> root = startRoot(4, Optional.empty());
    Future<TcpCoordinator> second = ranks.start(() -> open(2, 4));
    TcpCoordinator connected = ConcurrentRanks.get(second);

    assertFails(
        () -> expired(root),
        Reason.TIMEOUT,
        "rank 0 of 4: TCP coordinator, accept: ranks 1, 3 did not connect to 127.0.0.1:"
            + address.getPort());
    try (connected) {
      assertFails(
          () -> connected.gather(new byte[4], ROUND_NANOS),
          Reason.PEER_FAILED,
          "rank 2 of 4: TCP coordinator, gather 0 of 4 bytes: rank 0 (127.0.0.1:",
          "after 0 of 16 bytes");
    }
  }

  @Test
  void shouldSeatEveryRankAmongStrangers() throws Exception {
    Future<byte[]> root = ranks.start(() -> gatherOnce(0, 3));
    List<RawSocket> silent = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      silent.add(RawSocket.connect(address));
    }
    try (RawSocket http = RawSocket.connect(address);
        RawSocket negative = RawSocket.connect(address);
        RawSocket half = RawSocket.connect(address);
        RawSocket zero = RawSocket.connect(address)) {
      http.sendText("GET / HTTP/1.1\r\n\r\n");
      negative.send("ffffffff");
      half.send("0100");
      zero.send("00000000");
      assertThat(http.isEnded()).as("a stranger").isTrue();
      assertThat(negative.isEnded()).as("rank -1").isTrue();
      assertThat(zero.isEnded()).as("a second rank 0").isTrue();
      Future<byte[]> first = ranks.start(() -> gatherOnce(1, 3));
      Future<byte[]> second = ranks.start(() -> gatherOnce(2, 3));

      assertThat(ConcurrentRanks.get(root)).containsExactly(0, 1, 2);
      assertThat(ConcurrentRanks.get(first)).containsExactly(0, 1, 2);
      assertThat(ConcurrentRanks.get(second)).containsExactly(0, 1, 2);
      assertThat(half.isEnded()).as("half a rank").isTrue();
      assertThat(silent).allMatch(RawSocket::isEnded);
    } finally {
      for (RawSocket one : silent) {
        one.close();
      }
    }
  }

  @Test
  void shouldDropTheOldestSilentOneWhereTooManyAreSilent() throws Exception {
    Future<byte[]> root = ranks.start(() -> gatherOnce(0, 2));
    List<RawSocket> silent = new ArrayList<>();
    try {
      for (int i = 0; i < 67; i++) {
        silent.add(RawSocket.connect(address));
      }
      assertThat(silent.getFirst().isEnded()).isTrue();
      assertThat(gatherOnce(1, 2)).containsExactly(0, 1);
      assertThat(ConcurrentRanks.get(root)).containsExactly(0, 1);
    } finally {
      for (RawSocket one : silent) {
        one.close();
      }
    }
  }

  @Test
  void shouldRefuseTheSecondOfTwoEqualRanks() throws Exception {
    Future<TcpCoordinator> root = startRoot(3, Optional.empty());
    try (RawSocket first = RawSocket.connect(address)) {
      first.send("01000000");
      // Reaches rank 0 after the first, and is answered by the end of its connection.
      String refused;
      try (RawSocket second = RawSocket.connect(address)) {
        second.send("01000000");
        assertThat(second.isEnded()).isTrue();
        refused = "127.0.0.1:" + second.localPort();
      }
      assertFails(
          () -> expired(root),
          Reason.TIMEOUT,
          "rank 2 did not connect",
          "turned away: %s said rank 1, which is 127.0.0.1:%d"
              .formatted(refused, first.localPort()));
    }
  }

  @ParameterizedTest
  @CsvSource({"03000000, 3", "00000000, 0", "ffffffff, -1"})
  void shouldSayWhichRankWasOutOfRange(String hello, int said) throws Exception {
    Future<TcpCoordinator> root = startRoot(3, Optional.empty());
    try (RawSocket wrong = RawSocket.connect(address)) {
      wrong.send(hello);
      assertThat(wrong.isEnded()).isTrue();
      assertFails(
          () -> expired(root),
          Reason.TIMEOUT,
          "ranks 1, 2 did not connect",
          "said rank " + said + ", want 1 to 2");
    }
  }

  @Test
  void shouldLetARankThatLeftTooEarlyComeAgain() throws Exception {
    Future<byte[]> root = ranks.start(() -> gatherOnce(0, 3));
    try (RawSocket early = RawSocket.connect(address)) {
      early.send("0100000000000000");
    }
    Future<byte[]> second = ranks.start(() -> gatherOnce(2, 3));
    byte[] first = gatherOnce(1, 3);

    assertThat(first).containsExactly(0, 1, 2);
    assertThat(ConcurrentRanks.get(second)).containsExactly(0, 1, 2);
    assertThat(ConcurrentRanks.get(root)).containsExactly(0, 1, 2);
  }

  @ParameterizedTest
  @CsvSource({"2, 2", "-1, 2", "0, 0"})
  void shouldRefuseOwnRankOutOfRange(int rank, int size) {
    assertFails(() -> open(rank, size), Reason.RANK_CONFLICT, "rank is " + rank + " of " + size);
  }
}
