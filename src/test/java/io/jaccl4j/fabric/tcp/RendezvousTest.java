package io.jaccl4j.fabric.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.jaccl4j.GroupSettings;
import io.jaccl4j.fabric.FabricException;
import io.jaccl4j.testing.TestSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Who gets a place and who does not, however it goes about it; and what the others are told. */
@Timeout(60)
class RendezvousTest {
  private static final String GROUP = "rendezvous";
  private static final Duration SHORT = Duration.ofSeconds(2);

  private final List<AutoCloseable> resources = new ArrayList<>();
  private long socketsBefore;

  /** The JDK keeps a socket of its own from its first use on. */
  @BeforeAll
  static void useSockets() throws IOException {
    SocketPair pair = SocketPair.open(false);
    pair.first().close();
    pair.second().close();
  }

  @BeforeEach
  void countSockets() throws IOException {
    socketsBefore = openSockets();
  }

  @AfterEach
  void leaveNothing() throws Exception {
    for (AutoCloseable resource : resources.reversed()) {
      resource.close();
    }
    await().untilAsserted(() -> assertThat(openSockets()).isLessThanOrEqualTo(socketsBefore));
  }

  private static long openSockets() throws IOException {
    Path descriptors = Path.of("/proc/self/fd");
    if (!Files.isDirectory(descriptors)) {
      return 0;
    }
    try (Stream<Path> all = Files.list(descriptors)) {
      return all.filter(RendezvousTest::isSocket).count();
    }
  }

  private static boolean isSocket(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString().startsWith("socket:");
    } catch (IOException e) {
      // Closed since it was listed.
      return false;
    }
  }

  private static GroupSettings settings(int size, Duration timeout) {
    return TestSettings.of(GROUP, size)
        .withFormationTimeout(timeout)
        .withMemory(new GroupSettings.Memory(4096, 0, Path.of("/dev/shm")));
  }

  private <T extends AutoCloseable> T kept(T resource) {
    resources.add(resource);
    return resource;
  }

  private FabricThread rank(int rank, int size, Duration timeout) {
    return kept(FabricThread.open(settings(size, timeout), rank));
  }

  private static Throwable causeOf(CompletableFuture<?> future) {
    Throwable thrown = catchThrowable(() -> future.orTimeout(40, TimeUnit.SECONDS).join());
    assertThat(thrown).isInstanceOf(CompletionException.class);
    return thrown.getCause();
  }

  /** What somebody does at a listener before the real peer comes. */
  @FunctionalInterface
  interface Intrusion {
    void visit(FakePeer stranger, byte[] destination) throws IOException;
  }

  record Case(String name, String told, Intrusion intrusion) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Case hello(String name, String told, UnaryOperator<Hello> change) {
    return new Case(
        name,
        told,
        (stranger, destination) -> {
          SocketChannel channel = stranger.dial(destination);
          channel.write(change.apply(FakePeer.hello(GROUP, 0, 1, destination)).encode());
          assertThat(FakePeer.isClosedByPeer(channel)).isTrue();
        });
  }

  private static Hello changed(
      Hello h, int sockets, long group, long epoch, int from, int to, int wire, int socket) {
    return new Hello(sockets, group, epoch, from, to, wire, socket, h.token());
  }

  static List<Case> intrusions() {
    return List.of(
        new Case(
            "a port scanner that connects and goes",
            "it went away after 0 bytes",
            (stranger, destination) -> stranger.dial(destination).close()),
        new Case(
            "garbage",
            "it is no hello of jaccl4j",
            (stranger, destination) -> {
              SocketChannel channel = stranger.dial(destination);
              channel.write(
                  ByteBuffer.wrap("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII)));
              assertThat(FakePeer.isClosedByPeer(channel)).isTrue();
            }),
        new Case(
            "half a hello",
            "it went away after 32 bytes",
            (stranger, destination) -> {
              SocketChannel channel = stranger.dial(destination);
              channel.write(FakePeer.hello(GROUP, 0, 1, destination).encode().limit(32));
              channel.close();
            }),
        new Case(
            "another version",
            "its hello has version 77, want 1",
            (stranger, destination) -> {
              SocketChannel channel = stranger.dial(destination);
              channel.write(FakePeer.hello(GROUP, 0, 1, destination).encode().put(8, (byte) 77));
              assertThat(FakePeer.isClosedByPeer(channel)).isTrue();
            }),
        hello(
            "wrong token",
            "its token is not the one",
            h ->
                new Hello(
                    h.sockets(), h.group(), h.epoch(), 0, 1, 0, 0, new byte[h.token().length])),
        hello(
            "an earlier epoch",
            "it belongs to epoch 3, want 4",
            h -> changed(h, 1, h.group(), 3, 0, 1, 0, 0)),
        hello(
            "another group",
            "it belongs to another group",
            h -> changed(h, 1, Hello.group("other"), h.epoch(), 0, 1, 0, 0)),
        hello(
            "another rank",
            "it goes from rank 2 to rank 1, want from 0 to 1",
            h -> changed(h, 1, h.group(), h.epoch(), 2, 1, 0, 0)),
        hello(
            "to another rank",
            "it goes from rank 0 to rank 0, want from 0 to 1",
            h -> changed(h, 1, h.group(), h.epoch(), 0, 0, 0, 0)),
        hello(
            "more sockets",
            "it has 2 sockets per wire, want 1",
            h -> changed(h, 2, h.group(), h.epoch(), 0, 1, 0, 0)),
        hello(
            "no such wire",
            "rank 0 does not connect socket 0 of wire 9 here",
            h -> changed(h, 1, h.group(), h.epoch(), 0, 1, 9, 0)),
        hello(
            "no such socket",
            "rank 0 does not connect socket -1 of wire 0 here",
            h -> changed(h, 1, h.group(), h.epoch(), 0, 1, 0, -1)),
        new Case(
            "a right hello of somebody who goes before confirming",
            "it went away before it confirmed",
            (stranger, destination) -> {
              SocketChannel channel = stranger.dial(destination);
              channel.write(FakePeer.hello(GROUP, 0, 1, destination).encode());
              assertThat(FakePeer.read(channel, Hello.BYTES).remaining()).isEqualTo(Hello.BYTES);
              channel.close();
            }),
        new Case(
            "a right hello and a wrong confirmation",
            "it did not confirm its hello, but sent 1",
            (stranger, destination) -> {
              SocketChannel channel = stranger.dial(destination);
              channel.write(FakePeer.hello(GROUP, 0, 1, destination).encode());
              assertThat(FakePeer.read(channel, Hello.BYTES).remaining()).isEqualTo(Hello.BYTES);
              channel.write(ByteBuffer.wrap(new byte[] {1}));
              assertThat(FakePeer.isClosedByPeer(channel)).isTrue();
            }));
  }

  @ParameterizedTest
  @MethodSource("intrusions")
  void shouldConnectTheRealPeerWhoeverCameFirst(Case intrusion) throws IOException {
    FabricThread first = rank(0, 2, Duration.ofSeconds(20));
    FabricThread second = rank(1, 2, Duration.ofSeconds(20));
    byte[] destinationOfFirst = first.destination();
    byte[] destinationOfSecond = second.destination();
    CompletableFuture<TcpFabric> secondConnected =
        second.connect(destinationOfFirst, destinationOfSecond);
    intrusion.intrusion().visit(kept(FakePeer.listening()), destinationOfSecond);
    assertThat(secondConnected).isNotDone();
    assertThat(first.connect(destinationOfFirst, destinationOfSecond))
        .succeedsWithin(Duration.ofSeconds(10));
    assertThat(secondConnected).succeedsWithin(Duration.ofSeconds(10));
  }

  @ParameterizedTest
  @MethodSource("intrusions")
  void shouldTellWhomItTurnedAwayWhenNobodyElseComes(Case intrusion) throws IOException {
    FakePeer stranger = kept(FakePeer.listening());
    FabricThread second = rank(1, 2, Duration.ofSeconds(1));
    byte[] destination = second.destination();
    CompletableFuture<TcpFabric> connected = second.connect(stranger.destination(), destination);
    intrusion.intrusion().visit(stranger, destination);
    assertThat(causeOf(connected))
        .isInstanceOfSatisfying(FabricException.class, e -> assertThat(e.peer()).isZero())
        .hasMessageContaining("no connection with rank 0 (test://host:9000) for wire 0, socket 0")
        .hasMessageContaining("where rank 0 has not connected")
        .hasMessageContaining("turned away 1 connections, the last one from 127.0.0.1:")
        .hasMessageContaining(intrusion.told());
  }

  @Test
  void shouldNotBeBlockedByManyWhoSayNothing() throws IOException {
    FabricThread first = rank(0, 2, Duration.ofSeconds(20));
    FabricThread second = rank(1, 2, Duration.ofSeconds(20));
    byte[] destinationOfFirst = first.destination();
    byte[] destinationOfSecond = second.destination();
    FakePeer silent = kept(FakePeer.listening());
    CompletableFuture<TcpFabric> secondConnected =
        second.connect(destinationOfFirst, destinationOfSecond);
    List<SocketChannel> channels = new ArrayList<>();
    for (int i = 0; i < 150; i++) {
      channels.add(silent.dial(destinationOfSecond));
    }
    assertThat(FakePeer.isClosedByPeer(channels.getFirst())).as("makes room").isTrue();
    assertThat(first.connect(destinationOfFirst, destinationOfSecond))
        .succeedsWithin(Duration.ofSeconds(10));
    assertThat(secondConnected).succeedsWithin(Duration.ofSeconds(10));
    assertThat(FakePeer.isClosedByPeer(channels.getLast())).as("nobody stays").isTrue();
  }

  @Test
  void shouldRefuseASecondConnectionForTheSamePlace() throws IOException {
    // Rank 2 never comes, so that rank 1 goes on listening after rank 0 is connected.
    FakePeer peer = kept(FakePeer.listening());
    FabricThread second = rank(1, 3, SHORT);
    byte[] destination = second.destination();
    CompletableFuture<TcpFabric> connected =
        second.connect(peer.destination(), destination, FakePeer.absent().destination());
    for (int time = 0; time < 2; time++) {
      SocketChannel channel = peer.dial(destination);
      channel.write(FakePeer.hello(GROUP, 0, 1, destination).encode());
      if (time == 0) {
        FakePeer.read(channel, Hello.BYTES);
        channel.write(ByteBuffer.wrap(new byte[] {Hello.CONFIRMATION}));
      } else {
        assertThat(FakePeer.isClosedByPeer(channel)).isTrue();
      }
    }
    assertThat(causeOf(connected))
        .hasMessageContaining("no connection with rank 2")
        .hasMessageContaining("Connection refused (ECONNREFUSED)");
  }

  /** What answers where the peer should be. */
  record Answer(String name, String told, AnswerBody body) {
    @Override
    public String toString() {
      return name;
    }
  }

  @FunctionalInterface
  interface AnswerBody {
    void answer(SocketChannel channel, byte[] destination) throws IOException;
  }

  static List<Answer> wrongAnswers() {
    return List.of(
        new Answer(
            "closes",
            "the other end closed the connection",
            (channel, d) -> {
              FakePeer.read(channel, Hello.BYTES);
              channel.close();
            }),
        new Answer(
            "says something else",
            "what answers there is not that rank: it is no hello of jaccl4j",
            (channel, d) -> channel.write(ByteBuffer.allocate(Hello.BYTES))),
        new Answer(
            "repeats the hello, as a rank that has connected to itself would",
            "what answers there is not that rank: its token",
            (channel, d) -> channel.write(FakePeer.read(channel, Hello.BYTES))),
        new Answer(
            "has the wrong epoch",
            "it belongs to epoch 9, want 4",
            (channel, d) -> {
              Hello right = FakePeer.hello(GROUP, 1, 0, d);
              channel.write(changed(right, 1, right.group(), 9, 1, 0, 0, 0).encode());
            }),
        new Answer(
            "is another rank",
            "it goes from rank 2 to rank 0, want from 1 to 0",
            (channel, d) -> {
              Hello right = FakePeer.hello(GROUP, 1, 0, d);
              channel.write(changed(right, 1, right.group(), 4, 2, 0, 0, 0).encode());
            }),
        new Answer(
            "stops within its hello",
            "the other end closed the connection",
            (channel, d) -> {
              FakePeer.read(channel, Hello.BYTES);
              channel.write(FakePeer.hello(GROUP, 1, 0, d).encode().limit(40));
              channel.close();
            }));
  }

  @ParameterizedTest
  @MethodSource("wrongAnswers")
  void shouldSayWhatAnswersInThePlaceOfThePeer(Answer answer) throws IOException {
    FakePeer peer = kept(FakePeer.listening());
    FabricThread first = rank(0, 2, SHORT);
    byte[] destination = first.destination();
    CompletableFuture<TcpFabric> connected = first.connect(destination, peer.destination());
    Thread answering =
        Thread.ofVirtual()
            .start(
                () -> {
                  while (!connected.isDone()) {
                    try {
                      answer.body().answer(peer.accept(), destination);
                    } catch (IOException e) {
                      // The rank has given this attempt up, or the test is over.
                      continue;
                    }
                  }
                });
    resources.add(answering::interrupt);
    assertThat(causeOf(connected))
        .isInstanceOfSatisfying(FabricException.class, e -> assertThat(e.peer()).isOne())
        .hasMessageContaining("no connection with rank 1 (test://host:9001)")
        .hasMessageContaining("to 127.0.0.1:" + peer.endpoint().getPort() + " from 127.0.0.1:")
        .hasMessageContaining(answer.told())
        .hasMessageContaining("tries)");
  }

  @Test
  void shouldTakeThePeerWhenItAnswersAfterAll() throws IOException {
    FakePeer peer = kept(FakePeer.listening());
    FabricThread first = rank(0, 2, Duration.ofSeconds(20));
    byte[] destination = first.destination();
    CompletableFuture<TcpFabric> connected = first.connect(destination, peer.destination());
    for (int failures = 0; failures < 5; failures++) {
      peer.accept().close();
    }
    SocketChannel channel = peer.accept();
    Hello got = Hello.decode(FakePeer.read(channel, Hello.BYTES));
    assertThat(got.token()).isEqualTo(peer.token());
    assertThat(got.epoch()).isEqualTo(FabricThread.EPOCH);
    channel.write(FakePeer.hello(GROUP, 1, 0, destination).encode());
    assertThat(FakePeer.read(channel, 1).get(0)).isEqualTo(Hello.CONFIRMATION);
    assertThat(connected).succeedsWithin(Duration.ofSeconds(10));
  }

  @Test
  void shouldTryAgainUntilThePeerListens() throws IOException {
    FakePeer absent = FakePeer.absent();
    FabricThread first = rank(0, 2, Duration.ofSeconds(20));
    byte[] destination = first.destination();
    CompletableFuture<TcpFabric> connected = first.connect(destination, absent.destination());
    assertThat(connected.copy().completeOnTimeout(null, 300, TimeUnit.MILLISECONDS).join())
        .as("refused so far")
        .isNull();
    try (ServerSocketChannel listener = ServerSocketChannel.open().bind(absent.endpoint())) {
      SocketChannel channel = listener.accept();
      FakePeer.read(channel, Hello.BYTES);
      channel.write(FakePeer.hello(GROUP, 1, 0, destination).encode());
      assertThat(connected).succeedsWithin(Duration.ofSeconds(10));
      channel.close();
    }
  }

  @Test
  void shouldNameAddressErrorTriesAndTimeWhenNobodyListensUntilTheDeadline() {
    FakePeer absent = FakePeer.absent();
    FabricThread first = rank(0, 2, SHORT);
    long startNanos = System.nanoTime();
    assertThat(causeOf(first.connect(first.destination(), absent.destination())))
        .isInstanceOfSatisfying(FabricException.class, e -> assertThat(e.peer()).isOne())
        .hasMessageContaining("tcp connect: no connection with rank 1 (test://host:9001)")
        .hasMessageContaining("to 127.0.0.1:" + absent.endpoint().getPort())
        .hasMessageContaining("Connection refused (ECONNREFUSED)")
        .hasMessageMatching("(?s).*after 1\\.[0-9] s.*\\([0-9]+ tries\\).*")
        .hasMessageContaining("jaccl4j.formation-timeout");
    assertThat(Duration.ofNanos(System.nanoTime() - startNanos))
        .as("before the deadline, to have time to tell the others")
        .isLessThan(SHORT.plusSeconds(1));
  }

  @Test
  void shouldSayThatThePeerConnectsButDoesNotAnswer() {
    // The backlog of its listener connects; nobody is there to accept.
    FakePeer silent = kept(FakePeer.listening());
    FabricThread first = rank(0, 2, Duration.ofSeconds(4));
    assertThat(causeOf(first.connect(first.destination(), silent.destination())))
        .isInstanceOfSatisfying(FabricException.class, e -> assertThat(e.peer()).isOne())
        .hasMessageContaining("connected, but no answer to the hello");
  }

  @Test
  void shouldSayThatNothingAnswersTheConnectionRequest() throws IOException {
    // A full backlog drops requests, as a black hole or a firewall does.
    try (ServerSocketChannel full = ServerSocketChannel.open()) {
      full.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1);
      InetSocketAddress endpoint = (InetSocketAddress) full.getLocalAddress();
      for (int waiting = 0; waiting < 8; waiting++) {
        SocketChannel channel = kept(SocketChannel.open());
        channel.configureBlocking(false);
        channel.connect(endpoint);
      }
      FabricThread first = rank(0, 2, Duration.ofSeconds(4));
      byte[] destination =
          new TcpDestination(new byte[TcpDestination.TOKEN_BYTES], List.of(endpoint)).encode();
      assertThat(causeOf(first.connect(first.destination(), destination)))
          .isInstanceOfSatisfying(FabricException.class, e -> assertThat(e.peer()).isOne())
          .hasMessageContaining("no connection with rank 1 (test://host:9001)")
          .hasMessageContaining("to 127.0.0.1:" + endpoint.getPort())
          .hasMessageContaining("no answer to the connection request");
    }
  }

  @Test
  void shouldGiveUpAtOnceWhenAPeerGivesUp() throws IOException {
    FakePeer second = kept(FakePeer.listening());
    FabricThread first = rank(0, 3, Duration.ofSeconds(30));
    byte[] destination = first.destination();
    CompletableFuture<TcpFabric> connected =
        first.connect(destination, second.destination(), FakePeer.absent().destination());
    SocketChannel channel = second.accept();
    FakePeer.read(channel, Hello.BYTES);
    channel.write(FakePeer.hello(GROUP, 1, 0, destination).encode());
    FakePeer.read(channel, 1);
    long startNanos = System.nanoTime();
    channel.close();
    assertThat(causeOf(connected))
        .isInstanceOfSatisfying(FabricException.class, e -> assertThat(e.peer()).isOne())
        .hasMessageContaining("rank 1 (test://host:9001)")
        .hasMessageContaining("closed the connection while others were still being made");
    assertThat(Duration.ofNanos(System.nanoTime() - startNanos)).isLessThan(Duration.ofSeconds(10));
  }

  @Test
  void shouldRefuseAPeerThatTalksTooEarly() throws IOException {
    FakePeer second = kept(FakePeer.listening());
    FabricThread first = rank(0, 3, Duration.ofSeconds(30));
    byte[] destination = first.destination();
    CompletableFuture<TcpFabric> connected =
        first.connect(destination, second.destination(), FakePeer.absent().destination());
    SocketChannel channel = second.accept();
    FakePeer.read(channel, Hello.BYTES);
    channel.write(FakePeer.hello(GROUP, 1, 0, destination).encode());
    FakePeer.read(channel, 1);
    channel.write(ByteBuffer.allocate(100));
    assertThat(causeOf(connected)).hasMessageContaining("sent something before all");
  }

  @Test
  void shouldRefuseAPortThatIsTaken() throws IOException {
    try (ServerSocketChannel taken =
        ServerSocketChannel.open()
            .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
      int port = ((InetSocketAddress) taken.getLocalAddress()).getPort();
      GroupSettings settings =
          settings(2, SHORT).withTcp(new GroupSettings.Tcp("127.0.0.1", port, 1, 0, 0));
      FabricThread first = kept(FabricThread.open(settings, 0));
      assertThatThrownBy(first::destination)
          .hasRootCauseInstanceOf(java.net.BindException.class)
          .hasMessageContaining("tcp listen at 127.0.0.1:" + port)
          .hasMessageContaining("Address already in use (EADDRINUSE)")
          .hasMessageContaining("jaccl4j.tcp.port is " + port);
    }
  }

  @Test
  void shouldListenAtThePortThatIsSetAndOnlyUntilAllAreConnected() throws IOException {
    int port = FakePeer.absent().endpoint().getPort();
    GroupSettings settings =
        settings(2, SHORT).withTcp(new GroupSettings.Tcp("127.0.0.1", port, 1, 0, 0));
    FabricThread second = kept(FabricThread.open(settings, 1));
    FabricThread first = rank(0, 2, SHORT);
    byte[] destinationOfFirst = first.destination();
    byte[] destinationOfSecond = second.destination();
    assertThat(TcpDestination.decode(1, destinationOfSecond).endpoints())
        .containsExactly(new InetSocketAddress("127.0.0.1", port));
    CompletableFuture<TcpFabric> connected =
        second.connect(destinationOfFirst, destinationOfSecond);
    assertThat(first.connect(destinationOfFirst, destinationOfSecond))
        .succeedsWithin(Duration.ofSeconds(10));
    assertThat(connected).succeedsWithin(Duration.ofSeconds(10));
    second
        .call(
            fabric -> {
              fabric.established();
              return fabric;
            })
        .join();
    assertThatThrownBy(() -> kept(FakePeer.listening()).dial(destinationOfSecond))
        .isInstanceOf(java.net.ConnectException.class);
  }

  @Test
  void shouldUseTheTokenForOneFormationAlone() {
    byte[] one = TcpDestination.decode(0, rank(0, 2, SHORT).destination()).token();
    byte[] other = TcpDestination.decode(0, rank(0, 2, SHORT).destination()).token();
    assertThat(one).isNotEqualTo(other).isNotEqualTo(new byte[one.length]);
  }
}
