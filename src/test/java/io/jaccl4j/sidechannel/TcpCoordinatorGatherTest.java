package io.jaccl4j.sidechannel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.jaccl4j.FormationException.Reason;
import io.jaccl4j.GroupFailure;
import java.net.ServerSocket;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is gathered, and what is said of a rank that leaves or sends something else. */
@Timeout(60)
class TcpCoordinatorGatherTest extends TcpCoordinatorFixture {
  @Test
  void shouldGatherFromManyRanksManyTimes() throws Exception {
    int size = 9;
    List<String> sums =
        ranks.all(
            size,
            rank -> {
              try (TcpCoordinator channel = open(rank, size)) {
                StringBuilder seen = new StringBuilder();
                for (int round = 0; round < 50; round++) {
                  byte[] all =
                      channel.gather(new byte[] {(byte) rank, (byte) (rank * round)}, ROUND_NANOS);
                  seen.append(HexFormat.of().formatHex(all));
                }
                return seen.toString();
              }
            });
    StringBuilder expected = new StringBuilder();
    for (int round = 0; round < 50; round++) {
      for (int rank = 0; rank < size; rank++) {
        expected.append("%02x%02x".formatted(rank, rank * round & 0xff));
      }
    }
    assertThat(sums).containsOnly(expected.toString());
  }

  /** More than the buffers of the sockets hold. */
  @Test
  void shouldGatherLargeContributions() throws Exception {
    int bytes = 3 << 20;
    List<Boolean> right =
        ranks.all(
            3,
            rank -> {
              try (TcpCoordinator channel = open(rank, 3)) {
                byte[] contribution = new byte[bytes];
                Arrays.fill(contribution, (byte) (rank + 1));
                byte[] all = channel.gather(contribution, ROUND_NANOS);
                channel.gather(new byte[4], ROUND_NANOS);
                for (int i = 0; i < all.length; i++) {
                  if (all[i] != i / bytes + 1) {
                    return false;
                  }
                }
                return true;
              }
            });
    assertThat(right).containsOnly(true);
  }

  @Test
  void shouldBeAGroupOfOneWithoutListening() {
    TcpCoordinator alone = open(0, 1);

    assertThat(alone.gather(new byte[] {7}, ROUND_NANOS)).containsExactly(7);
    assertThat(alone.loss()).isEmpty();
    alone.close();
    assertFails(() -> alone.gather(new byte[1], ROUND_NANOS), Reason.STOPPED, "was closed");
  }

  @Test
  void shouldNameTheRankThatLeaves() throws Exception {
    Future<TcpCoordinator> root = ranks.start(() -> open(0, 3));
    try (RawSocket first = RawSocket.connect(address);
        RawSocket second = RawSocket.connect(address)) {
      first.send("01000000");
      second.send("02000000");
      try (TcpCoordinator channel = ConcurrentRanks.get(root)) {
        second.send("01");
        int port = second.localPort();
        second.endSending();
        assertFails(
            () -> channel.gather(new byte[4], ROUND_NANOS),
            Reason.PEER_FAILED,
            "rank 2 (127.0.0.1:%d) closed the connection after 1 of 4 bytes".formatted(port));
      }
    }
  }

  @Test
  void shouldFindARankThatContributesMore() throws Exception {
    Future<TcpCoordinator> root = ranks.start(() -> open(0, 2));
    try (RawSocket other = RawSocket.connect(address)) {
      other.send("01000000" + "0102030405060708");
      try (TcpCoordinator channel = ConcurrentRanks.get(root)) {
        assertFails(
            () -> channel.gather(new byte[4], ROUND_NANOS),
            Reason.SETTINGS_DIFFER,
            "rank 1 (127.0.0.1:",
            "sent 8 bytes or more, want 4");
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "0102030405060708ff, sent 9 bytes or more",
    "0102030400000000, answered without this rank's own bytes in their place"
  })
  void shouldFindARankZeroThatGathersAnotherSize(String answer, String complaint) throws Exception {
    try (ServerSocket listener = RawSocket.listen(address)) {
      Future<byte[]> other =
          ranks.start(
              () -> {
                try (TcpCoordinator channel = open(1, 2)) {
                  return channel.gather(new byte[] {5, 6, 7, 8}, ROUND_NANOS);
                }
              });
      try (RawSocket root = new RawSocket(listener.accept())) {
        root.receive(8);
        root.send(answer);
        assertFails(
            () -> ConcurrentRanks.get(other),
            Reason.SETTINGS_DIFFER,
            "rank 1 of 2: TCP coordinator, gather 0 of 4 bytes: rank 0 (127.0.0.1:",
            complaint);
      }
    }
  }

  @Test
  void shouldFindBytesThatNobodyAskedFor() throws Exception {
    try (ServerSocket listener = RawSocket.listen(address)) {
      Future<TcpCoordinator> other = ranks.start(() -> open(1, 2));
      try (RawSocket root = new RawSocket(listener.accept());
          TcpCoordinator channel = ConcurrentRanks.get(other)) {
        root.send("00");
        // Waits for the byte to be there.
        await()
            .atMost(PATIENCE)
            .untilAsserted(
                () -> {
                  channel.loss();
                  assertFails(
                      () -> channel.gather(new byte[1], SHORT.toNanos()),
                      Reason.SETTINGS_DIFFER,
                      "sent 1 bytes or more, want 0");
                });
      }
    }
  }

  @Test
  void shouldTellRankZeroWhichRankIsLost() throws Exception {
    Future<TcpCoordinator> root = ranks.start(() -> open(0, 3));
    TcpCoordinator first = open(1, 3);
    TcpCoordinator second = open(2, 3);
    TcpCoordinator zero = ConcurrentRanks.get(root);
    try (first) {
      assertThat(zero.loss()).isEmpty();
      assertThat(first.loss()).isEmpty();
      second.close();
      await().atMost(PATIENCE).until(() -> zero.loss().isPresent());

      GroupFailure loss = zero.loss().orElseThrow();
      assertThat(loss.kind()).isEqualTo(GroupFailure.Kind.PEER_LOST);
      assertThat(loss.rank()).isEqualTo(2);
      assertThat(loss.reportedBy()).isZero();
      assertThat(loss.address()).startsWith("127.0.0.1:");
      assertThat(loss.detail()).startsWith("rank 2 (127.0.0.1:").contains("closed the connection");
      assertThat(first.loss()).isEmpty();

      zero.close();
      await().atMost(PATIENCE).until(() -> first.loss().isPresent());
      assertThat(first.loss().orElseThrow().rank()).isZero();
      assertThat(zero.loss()).isEmpty();
    }
  }
}
