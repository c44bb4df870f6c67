package io.jaccl4j.sidechannel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jaccl4j.FormationException;
import io.jaccl4j.FormationException.Reason;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Ranks around a TCP coordinator at an address of their own. */
abstract class TcpCoordinatorFixture {
  static final Duration PATIENCE = Duration.ofSeconds(20);
  static final Duration SHORT = Duration.ofMillis(400);
  static final long ROUND_NANOS = PATIENCE.toNanos();
  static final byte[] KEY = "correct horse battery staple".getBytes(StandardCharsets.UTF_8);
  final ConcurrentRanks ranks = new ConcurrentRanks();
  final AtomicLong nowNanos = new AtomicLong();
  InetSocketAddress address;

  @BeforeEach
  void chooseAddress() throws IOException {
    address = RawSocket.freeAddress();
  }

  @AfterEach
  void end() {
    ranks.close();
  }

  /** Rank 0, whose time passes only by {@link #expired}. */
  Future<TcpCoordinator> startRoot(int size, Optional<byte[]> key) {
    TcpCoordinatorSettings settings = new TcpCoordinatorSettings(address, Duration.ofHours(1), key);
    return ranks.start(() -> TcpCoordinator.open(settings, 0, size, nowNanos::get));
  }

  TcpCoordinator expired(Future<TcpCoordinator> root) throws Exception {
    nowNanos.addAndGet(Duration.ofHours(2).toNanos());
    return ConcurrentRanks.get(root);
  }

  byte[] gatherOnce(int rank, int size) {
    try (TcpCoordinator channel = open(rank, size)) {
      return channel.gather(new byte[] {(byte) rank}, ROUND_NANOS);
    }
  }

  TcpCoordinator open(int rank, int size) {
    return open(rank, size, PATIENCE, Optional.empty());
  }

  TcpCoordinator open(int rank, int size, Duration timeout, Optional<byte[]> key) {
    return TcpCoordinator.open(
        new TcpCoordinatorSettings(address, timeout, key), rank, size, System::nanoTime);
  }

  static void assertFails(ThrowingCallable call, Reason reason, String... complaints) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            FormationException.class, e -> assertThat(e.reason()).as("%s", e).isEqualTo(reason))
        .hasMessageContainingAll(complaints);
  }
}
