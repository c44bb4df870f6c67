package io.jaccl4j.sidechannel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.jaccl4j.ConfigurationException;
import io.jaccl4j.FormationException.Reason;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/** How the ranks find rank 0, and what they are told where they do not. */
@Timeout(60)
class TcpCoordinatorConnectTest extends TcpCoordinatorFixture {
  @Test
  void shouldWaitForRankZeroThatStartsLate() throws Exception {
    AtomicReference<Thread> thread = new AtomicReference<>();
    Future<byte[]> other =
        ranks.start(
            () -> {
              thread.set(Thread.currentThread());
              return gatherOnce(1, 2);
            });
    // Refused at least once, since nobody listens yet.
    await().until(() -> thread.get() != null && thread.get().getState() != Thread.State.NEW);
    assertThat(gatherOnce(0, 2)).containsExactly(0, 1);
    assertThat(ConcurrentRanks.get(other)).containsExactly(0, 1);
  }

  @Test
  void shouldNameRankZerosAddressAndTriesWhereNobodyListens() {
    long startNanos = System.nanoTime();
    assertFails(
        () -> open(1, 2, SHORT, Optional.empty()),
        Reason.TIMEOUT,
        "rank 1 of 2: TCP coordinator, connect: rank 0 at 127.0.0.1:%d did not answer ("
            .formatted(address.getPort()),
        " tries, ",
        "Connection refused",
        "is rank 0 started");
    assertThat(Duration.ofNanos(System.nanoTime() - startNanos))
        .isBetween(SHORT, SHORT.plusSeconds(3));
  }

  @Test
  void shouldLogTheAddressThatItTries() {
    Logger logger = (Logger) LoggerFactory.getLogger(RootConnector.class);
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    log.start();
    logger.addAppender(log);
    try {
      assertFails(
          () -> open(1, 2, Duration.ofSeconds(3), Optional.empty()),
          Reason.TIMEOUT,
          "did not answer");
    } finally {
      logger.detachAppender(log);
    }
    assertThat(log.list)
        .extracting(ILoggingEvent::getFormattedMessage)
        .first()
        .asString()
        .startsWith(
            "[rank 1 of 2] rank 0 at 127.0.0.1:%d does not answer yet (5 tries, "
                .formatted(address.getPort()))
        .contains("Connection refused");
    assertThat(log.list).as("more and more rarely").hasSizeLessThan(4);
  }

  /** An address that no machine has: packets to it are lost, or answered by nobody's router. */
  @Test
  void shouldNameTheAddressThatCannotBeReached() {
    long startNanos = System.nanoTime();
    TcpCoordinatorSettings settings =
        new TcpCoordinatorSettings(new InetSocketAddress("192.0.2.1", 32324), SHORT);

    assertFails(
        () -> TcpCoordinator.open(settings, 1, 2, System::nanoTime),
        Reason.TIMEOUT,
        "rank 1 of 2: TCP coordinator, connect: rank 0 at 192.0.2.1:32324 did not answer (",
        "is this its address?");
    assertThat(Duration.ofNanos(System.nanoTime() - startNanos))
        .isBetween(SHORT, SHORT.plusSeconds(3));
  }

  @Test
  void shouldNameTheHostThatIsUnknown() {
    InetSocketAddress nowhere = InetSocketAddress.createUnresolved("nowhere.invalid", 5000);
    TcpCoordinatorSettings settings = new TcpCoordinatorSettings(nowhere, SHORT);

    assertFails(
        () -> TcpCoordinator.open(settings, 1, 2, System::nanoTime),
        Reason.TIMEOUT,
        "rank 0 at nowhere.invalid:5000 did not answer");
    assertFails(
        () -> TcpCoordinator.open(settings, 0, 2, System::nanoTime),
        Reason.FABRIC,
        "rank 0 of 2: TCP coordinator, listen: nowhere.invalid:5000: ");
  }

  @Test
  void shouldReachRankZeroByName() throws Exception {
    InetSocketAddress named = InetSocketAddress.createUnresolved("localhost", address.getPort());
    TcpCoordinatorSettings settings = new TcpCoordinatorSettings(named, PATIENCE);

    assertThat(
            ranks.all(
                2,
                rank -> {
                  try (TcpCoordinator channel =
                      TcpCoordinator.open(settings, rank, 2, System::nanoTime)) {
                    return (int) channel.gather(new byte[] {5}, ROUND_NANOS)[1];
                  }
                }))
        .containsOnly(5);
  }

  @Test
  void shouldReachRankZeroOverIpv6() throws Exception {
    address = new InetSocketAddress(InetAddress.ofLiteral("::1"), address.getPort());

    assertThat(ranks.all(2, rank -> gatherOnce(rank, 2)[1])).containsOnly((byte) 1);
  }

  @Test
  void shouldNotShareItsPort() throws Exception {
    try (ServerSocket other = RawSocket.listen(address)) {
      assertFails(
          () -> open(0, 2),
          Reason.FABRIC,
          "rank 0 of 2: TCP coordinator, listen: 127.0.0.1:%d is in use by another program"
              .formatted(other.getLocalPort()));
    }
    Future<TcpCoordinator> first = ranks.start(() -> open(0, 2));
    try (RawSocket guest = RawSocket.connect(address)) {
      assertFails(() -> open(0, 2), Reason.FABRIC, "is in use by another program");
      guest.send("01000000");
      ConcurrentRanks.get(first).close();
    }
  }

  @Test
  void shouldListenAgainAtOnce() throws Exception {
    for (int run = 0; run < 3; run++) {
      assertThat(ranks.all(3, rank -> gatherOnce(rank, 3)[2])).containsOnly((byte) 2);
    }
  }

  @Test
  void shouldSayThatTheAddressIsNotRankZeros() {
    TcpCoordinatorSettings settings =
        new TcpCoordinatorSettings(new InetSocketAddress("192.0.2.1", 5000), SHORT);

    assertFails(
        () -> TcpCoordinator.open(settings, 0, 2, System::nanoTime),
        Reason.FABRIC,
        "listen: 192.0.2.1:5000: ",
        "the coordinator must be an address of rank 0");
  }

  @Test
  void shouldRefuseSettingsThatCannotBe() {
    assertThatThrownBy(() -> new TcpCoordinatorSettings(address, Duration.ZERO))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("timeout of the TCP coordinator is PT0S, want it positive");
    assertThatThrownBy(() -> new TcpCoordinatorSettings(address, SHORT, Optional.of(new byte[15])))
        .isInstanceOf(ConfigurationException.class)
        .hasMessage("key of the TCP coordinator has 15 bytes, want 16 or more");
    assertThat(new TcpCoordinatorSettings(address, SHORT, Optional.of(KEY)).toString())
        .contains("with key")
        .doesNotContain("correct");
  }

  @Test
  void shouldOpenThroughItsFactory() throws Exception {
    UniformAllGather.Factory factory =
        TcpCoordinator.factory(new TcpCoordinatorSettings(address, PATIENCE));

    assertThat(
            ranks.all(
                2,
                rank -> {
                  try (UniformAllGather channel = factory.open(rank, 2)) {
                    assertThat(channel.rank()).isEqualTo(rank);
                    assertThat(channel.size()).isEqualTo(2);
                    return channel.gather(new byte[3], ROUND_NANOS).length;
                  }
                }))
        .containsOnly(6);
  }
}
