package io.jaccl4j.sidechannel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.jaccl4j.ConfigurationException;
import io.jaccl4j.FormationException;
import io.jaccl4j.FormationException.Reason;
import io.jaccl4j.GroupFailure;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What goes wrong with a TCP coordinator, and that it ends in bounded time with a name. */
@Timeout(60)
class TcpCoordinatorTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Duration SHORT = Duration.ofMillis(400);
  private static final long ROUND_NANOS = PATIENCE.toNanos();
  private static final byte[] KEY = "correct horse battery staple".getBytes(StandardCharsets.UTF_8);
  private static final byte[] OTHER_KEY =
      "incorrect horse battery".getBytes(StandardCharsets.UTF_8);

  private final ConcurrentRanks ranks = new ConcurrentRanks();
  private final AtomicLong nowNanos = new AtomicLong();
  private InetSocketAddress address;

  @BeforeEach
  void chooseAddress() throws IOException {
    address = RawSocket.freeAddress();
  }

  @AfterEach
  void end() {
    ranks.close();
  }

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
    assertFails(
        () -> open(1, 2, SHORT, Optional.empty()),
        Reason.TIMEOUT,
        "rank 1 of 2: TCP coordinator, connect: rank 0 at 127.0.0.1:%d did not answer ("
            .formatted(address.getPort()),
        " tries, ",
        "Connection refused",
        "is rank 0 started");
  }

  /** An address that no machine has: packets to it are lost, or answered by nobody's router. */
  @Test
  void shouldNameTheAddressThatCannotBeReached() {
    TcpCoordinatorSettings settings =
        new TcpCoordinatorSettings(new InetSocketAddress("192.0.2.1", 32324), SHORT);

    assertFails(
        () -> TcpCoordinator.open(settings, 1, 2, System::nanoTime),
        Reason.TIMEOUT,
        "rank 1 of 2: TCP coordinator, connect: rank 0 at 192.0.2.1:32324 did not answer (",
        "is this its address?");
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

  /** Rank 0, whose time passes only by {@link #expired}. */
  private Future<TcpCoordinator> startRoot(int size, Optional<byte[]> key) {
    TcpCoordinatorSettings settings = new TcpCoordinatorSettings(address, Duration.ofHours(1), key);
    return ranks.start(() -> TcpCoordinator.open(settings, 0, size, nowNanos::get));
  }

  private TcpCoordinator expired(Future<TcpCoordinator> root) throws Exception {
    nowNanos.addAndGet(Duration.ofHours(2).toNanos());
    return ConcurrentRanks.get(root);
  }

  private byte[] gatherOnce(int rank, int size) {
    try (TcpCoordinator channel = open(rank, size)) {
      return channel.gather(new byte[] {(byte) rank}, ROUND_NANOS);
    }
  }

  private TcpCoordinator open(int rank, int size) {
    return open(rank, size, PATIENCE, Optional.empty());
  }

  private TcpCoordinator open(int rank, int size, Duration timeout, Optional<byte[]> key) {
    return TcpCoordinator.open(
        new TcpCoordinatorSettings(address, timeout, key), rank, size, System::nanoTime);
  }

  private static void assertFails(ThrowingCallable call, Reason reason, String... complaints) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            FormationException.class, e -> assertThat(e.reason()).as("%s", e).isEqualTo(reason))
        .hasMessageContainingAll(complaints);
  }
}
