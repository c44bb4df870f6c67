package io.jaccl4j.sidechannel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.jaccl4j.FormationException.Reason;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** That every call ends, and says for whom it has waited. */
@Timeout(60)
class TcpCoordinatorDeadlineTest extends TcpCoordinatorFixture {
  @Test
  void shouldNameTheRankThatDoesNotContribute() throws Exception {
    Future<TcpCoordinator> root = ranks.start(() -> open(0, 3));
    try (RawSocket first = RawSocket.connect(address);
        RawSocket second = RawSocket.connect(address)) {
      first.send("0100000001020304");
      second.send("020000000102");
      try (TcpCoordinator channel = ConcurrentRanks.get(root)) {
        assertFails(
            () -> channel.gather(new byte[4], SHORT.toNanos()),
            Reason.TIMEOUT,
            "rank 0 of 3: TCP coordinator, gather 0 of 4 bytes: rank 2 (127.0.0.1:%d) sent 2 of 4"
                .formatted(second.localPort()));
        assertThat(first.isEnded()).as("the others learn of it").isTrue();
        assertFails(
            () -> channel.gather(new byte[4], ROUND_NANOS), Reason.TIMEOUT, "sent 2 of 4 bytes");
      }
    }
  }

  @Test
  void shouldSayHowMuchOfTheAnswerCame() throws Exception {
    try (ServerSocket listener = RawSocket.listen(address)) {
      Future<byte[]> other =
          ranks.start(
              () -> {
                try (TcpCoordinator channel = open(1, 2)) {
                  return channel.gather(new byte[4], SHORT.toNanos());
                }
              });
      try (RawSocket root = new RawSocket(listener.accept())) {
        root.receive(8);
        root.send("010203");
        assertFails(
            () -> ConcurrentRanks.get(other),
            Reason.TIMEOUT,
            "rank 0 (127.0.0.1:%d) sent 3 of 8 bytes within ".formatted(address.getPort()));
      }
    }
  }

  @Test
  void shouldKeepOneDeadlineOverEverything() throws Exception {
    Future<TcpCoordinator> root = startRoot(2, Optional.empty());
    try (RawSocket other = RawSocket.connect(address)) {
      other.send("01000000");
      TcpCoordinator channel = ConcurrentRanks.get(root);
      other.send("05");
      assertThat(channel.gather(new byte[] {4}, ROUND_NANOS)).containsExactly(4, 5);
      nowNanos.addAndGet(Duration.ofHours(2).toNanos());
      assertFails(
          () -> channel.gather(new byte[] {4}, Duration.ofHours(9).toNanos()),
          Reason.TIMEOUT,
          "gather 1 of 1 bytes: rank 1 (127.0.0.1:");
    }
  }

  @Test
  void shouldTimeOutByItsClock() throws Exception {
    Future<TcpCoordinator> root = startRoot(2, Optional.empty());
    try (RawSocket silent = RawSocket.connect(address)) {
      assertFails(
          () -> expired(root),
          Reason.TIMEOUT,
          "rank 1 did not connect",
          "within 7200.0 s; 1 connected without a word");
      assertThat(silent.isEnded()).isTrue();
    }
  }

  @Test
  void shouldEndACallUnderWayWhenClosed() throws Exception {
    Future<TcpCoordinator> root = ranks.start(() -> open(0, 2));
    try (RawSocket other = RawSocket.connect(address)) {
      other.send("01000000");
      TcpCoordinator channel = ConcurrentRanks.get(root);
      AtomicReference<Thread> thread = new AtomicReference<>();
      Future<byte[]> call =
          ranks.start(
              () -> {
                thread.set(Thread.currentThread());
                return channel.gather(new byte[4], ROUND_NANOS);
              });
      await().until(() -> thread.get() != null);
      channel.close();
      assertFails(() -> ConcurrentRanks.get(call), Reason.STOPPED, "was closed on this rank");
      channel.close();
      assertThat(other.isEnded()).isTrue();
    }
  }

  @Test
  void shouldEndWhenItsThreadIsInterrupted() {
    Thread.currentThread().interrupt();
    try {
      assertFails(() -> open(0, 2), Reason.STOPPED, "accept: the thread was interrupted");
      assertThat(Thread.currentThread().isInterrupted()).isTrue();
      assertFails(() -> open(1, 2), Reason.STOPPED, "connect: the thread was interrupted");
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
  }
}
