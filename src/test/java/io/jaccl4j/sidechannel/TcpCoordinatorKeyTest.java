package io.jaccl4j.sidechannel;

import static org.assertj.core.api.Assertions.assertThat;

import io.jaccl4j.FormationException.Reason;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Ranks that prove to each other that they know a key. */
@Timeout(60)
class TcpCoordinatorKeyTest extends TcpCoordinatorFixture {
  private static final byte[] OTHER_KEY =
      "incorrect horse battery".getBytes(StandardCharsets.UTF_8);

  @Test
  void shouldFormWithTheSameKey() throws Exception {
    assertThat(
            ranks.all(
                4,
                rank -> {
                  try (TcpCoordinator channel = open(rank, 4, PATIENCE, Optional.of(KEY))) {
                    return channel.gather(new byte[] {(byte) rank}, ROUND_NANOS);
                  }
                }))
        .containsOnly(new byte[] {0, 1, 2, 3});
  }

  @Test
  void shouldKeepOutWhoHasAnotherKey() throws Exception {
    Future<TcpCoordinator> root = startRoot(2, Optional.of(KEY));

    assertFails(
        () -> open(1, 2, PATIENCE, Optional.of(OTHER_KEY)),
        Reason.SETTINGS_DIFFER,
        "rank 1 of 2: TCP coordinator, key handshake: rank 0 at 127.0.0.1:",
        "has another key");
    assertFails(() -> expired(root), Reason.TIMEOUT, "rank 1 did not connect");
  }

  @Test
  void shouldKeepOutWhoHasNoKey() throws Exception {
    Future<TcpCoordinator> root = startRoot(2, Optional.of(KEY));
    try (TcpCoordinator other = open(1, 2)) {
      assertFails(
          () -> other.gather(new byte[4], ROUND_NANOS),
          Reason.PEER_FAILED,
          "it may have turned this rank away");
    }
    assertFails(() -> expired(root), Reason.TIMEOUT, "did not begin with the key handshake");
  }

  @Test
  void shouldNotTrustARankZeroWithoutKey() throws Exception {
    Future<TcpCoordinator> root = startRoot(2, Optional.empty());

    assertFails(
        () -> open(1, 2, PATIENCE, Optional.of(KEY)),
        Reason.SETTINGS_DIFFER,
        "key handshake: rank 0 at 127.0.0.1:",
        "has it a key");
    assertFails(() -> expired(root), Reason.TIMEOUT, "has a key, but this rank has none");
  }

  @Test
  void shouldNotWaitForeverForARankZeroWithoutKeyThatIsSilent() throws Exception {
    try (ServerSocket silent = RawSocket.listen(address)) {
      assertFails(
          () -> open(1, 2, SHORT, Optional.of(KEY)),
          Reason.TIMEOUT,
          "key handshake: rank 0 at 127.0.0.1:%d did not answer within"
              .formatted(silent.getLocalPort()));
    }
  }

  /** Such as that of a run before, which was just ending. */
  @Test
  void shouldTryAgainWhereARankZeroEndsBeforeItAnswers() throws Exception {
    Future<TcpCoordinator> other;
    try (ServerSocket ending = RawSocket.listen(address)) {
      other = ranks.start(() -> open(1, 2, PATIENCE, Optional.of(KEY)));
      ending.accept().close();
    }
    Future<TcpCoordinator> root = startRoot(2, Optional.of(KEY));
    root.get().close();
    other.get().close();
  }

  @Test
  void shouldKeepOutWhoIsOfAnotherGroupSize() throws Exception {
    Future<TcpCoordinator> root = startRoot(2, Optional.of(KEY));

    assertFails(
        () -> open(1, 3, PATIENCE, Optional.of(KEY)),
        Reason.SETTINGS_DIFFER,
        "closed the connection; has it a key, and does it expect the same number of ranks?");
    assertFails(() -> expired(root), Reason.TIMEOUT, "is of a group of 3 ranks, want 2");
  }

  /** A recorded handshake is of no use, since the nonces are fresh. */
  @Test
  void shouldNotAcceptAProofTwice() throws Exception {
    KeyHandshake thief = new KeyHandshake(KEY);
    String opening = HexFormat.of().formatHex(thief.opening(1, 2));
    String proof = null;
    for (int run = 0; run < 2; run++) {
      Future<TcpCoordinator> root = startRoot(2, Optional.of(KEY));
      try (RawSocket socket = RawSocket.connect(address)) {
        socket.send(opening);
        byte[] answer = HexFormat.of().parseHex(socket.receive(KeyHandshake.ANSWER_BYTES));
        if (run == 0) {
          proof = HexFormat.of().formatHex(thief.proofAfter(answer, 1, 2));
          socket.send(proof + "01000000");
          ConcurrentRanks.get(root).close();
        } else {
          socket.send(proof + "01000000");
          assertThat(socket.isEnded()).isTrue();
          assertFails(() -> expired(root), Reason.TIMEOUT, "has another key");
        }
      }
    }
  }

  @Test
  void shouldRefuseARankThatProvedToBeAnother() throws Exception {
    KeyHandshake handshake = new KeyHandshake(KEY);
    Future<TcpCoordinator> root = startRoot(3, Optional.of(KEY));
    try (RawSocket socket = RawSocket.connect(address)) {
      socket.send(HexFormat.of().formatHex(handshake.opening(1, 3)));
      byte[] answer = HexFormat.of().parseHex(socket.receive(KeyHandshake.ANSWER_BYTES));
      socket.send(HexFormat.of().formatHex(handshake.proofAfter(answer, 1, 3)) + "02000000");
      assertThat(socket.isEnded()).isTrue();
      assertFails(() -> expired(root), Reason.TIMEOUT, "proved to be rank 1, but said 2");
    }
  }
}
