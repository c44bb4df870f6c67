package io.jaccl4j.sidechannel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jaccl4j.ConfigurationException;
import io.jaccl4j.FormationException;
import io.jaccl4j.FormationException.Reason;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;
import org.zeromq.ZMQException;
import zmq.ZError;

@Timeout(60)
class ZeroMqSideChannelTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Duration SHORT = Duration.ofMillis(300);
  private static final long ROUND_NANOS = PATIENCE.toNanos();
  private static final long NUDGE_NANOS = 250_000_000;
  private static final int NUDGES = 40;
  private static final HexFormat HEX = HexFormat.of();

  private final ConcurrentRanks ranks = new ConcurrentRanks();
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
  void shouldGatherManyRounds() throws Exception {
    int size = 4;
    UniformAllGather.Factory factory = ZeroMqSideChannel.factory(address, PATIENCE);
    List<Integer> sums =
        ranks.all(
            size,
            rank -> {
              try (UniformAllGather channel = factory.open(rank, size)) {
                int sum = 0;
                for (int round = 0; round < 30; round++) {
                  byte[] own = new byte[round];
                  Arrays.fill(own, (byte) (rank + 1));
                  for (byte one : channel.gather(own, ROUND_NANOS)) {
                    sum += one;
                  }
                }
                return sum;
              }
            });
    // (1 + 2 + 3 + 4) times (0 + 1 + ... + 29).
    assertThat(sums).containsOnly(4350);
  }

  @Test
  void shouldConnectBeforeRankZeroBinds() throws Exception {
    UniformAllGather first = open(1, 2, PATIENCE);
    Future<byte[]> call = ranks.start(() -> first.gather(new byte[] {1}, ROUND_NANOS));

    try (UniformAllGather zero = open(0, 2, PATIENCE)) {
      assertThat(zero.gather(new byte[] {0}, ROUND_NANOS)).containsExactly(0, 1);
      assertThat(ConcurrentRanks.get(call)).containsExactly(0, 1);
    }
    first.close();
  }

  @Test
  void shouldSendRankAndChunk() throws Exception {
    try (ZContext context = new ZContext()) {
      ZMQ.Socket router = context.createSocket(SocketType.ROUTER);
      router.setReceiveTimeOut((int) PATIENCE.toMillis());
      router.bind(endpoint());
      Future<byte[]> call =
          ranks.start(
              () -> {
                try (UniformAllGather channel = open(2, 3, PATIENCE)) {
                  return channel.gather(HEX.parseHex("c0ffee"), ROUND_NANOS);
                }
              });
      byte[] identity = router.recv();
      assertThat(router.recv()).isEmpty();
      assertThat(HEX.formatHex(router.recv())).isEqualTo("02000000c0ffee");
      router.sendMore(identity);
      router.sendMore(new byte[0]);
      router.send(HEX.parseHex("aaaaaabbbbbbc0ffee"));
      assertThat(HEX.formatHex(ConcurrentRanks.get(call))).isEqualTo("aaaaaabbbbbbc0ffee");
    }
  }

  @Test
  void shouldAnswerWithEverybodysBytes() throws Exception {
    try (ZContext context = new ZContext();
        UniformAllGather zero = open(0, 3, PATIENCE)) {
      ZMQ.Socket first = request(context, "01000000bbbb");
      ZMQ.Socket second = request(context, "02000000cccc");

      assertThat(HEX.formatHex(zero.gather(HEX.parseHex("aaaa"), ROUND_NANOS)))
          .isEqualTo("aaaabbbbcccc");
      assertThat(HEX.formatHex(first.recv())).isEqualTo("aaaabbbbcccc");
      assertThat(HEX.formatHex(second.recv())).isEqualTo("aaaabbbbcccc");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "01000000aa, SETTINGS_DIFFER, 'rank 1 sent 1 bytes, want 2'",
    "01000000aabbcc, SETTINGS_DIFFER, 'rank 1 sent 3 bytes, want 2'",
    "03000000aabb, RANK_CONFLICT, 'somebody said to be rank 3, want 1 to 2'",
    "00000000aabb, RANK_CONFLICT, 'somebody said to be rank 0, want 1 to 2'"
  })
  void shouldSayWhatIsWrongWithARequest(String request, Reason reason, String complaint) {
    try (ZContext context = new ZContext();
        UniformAllGather zero = open(0, 3, PATIENCE)) {
      assertThat(request(context, request)).isNotNull();
      assertFails(
          () -> zero.gather(new byte[2], ROUND_NANOS),
          reason,
          "rank 0 of 3: ZeroMQ star, gather 0 of 2 bytes: " + complaint);
      assertFails(() -> zero.gather(new byte[2], ROUND_NANOS), reason, complaint);
    }
  }

  @Test
  void shouldRefuseTwoEqualRanks() {
    try (ZContext context = new ZContext();
        UniformAllGather zero = open(0, 3, PATIENCE)) {
      assertThat(request(context, "01000000aabb")).isNotNull();
      assertThat(request(context, "01000000aabb")).isNotNull();
      assertFails(
          () -> zero.gather(new byte[2], ROUND_NANOS),
          Reason.RANK_CONFLICT,
          "two processes say to be rank 1");
    }
  }

  @Test
  void shouldIgnoreStrangers() throws Exception {
    try (ZContext context = new ZContext();
        UniformAllGather zero = open(0, 2, PATIENCE)) {
      ZMQ.Socket dealer = context.createSocket(SocketType.DEALER);
      dealer.connect(endpoint());
      dealer.send("hello");
      dealer.sendMore("");
      dealer.send("abc");
      ZMQ.Socket first = request(context, "01000000bb");

      assertThat(HEX.formatHex(zero.gather(HEX.parseHex("aa"), ROUND_NANOS))).isEqualTo("aabb");
      assertThat(HEX.formatHex(first.recv())).isEqualTo("aabb");
    }
  }

  @ParameterizedTest
  @CsvSource({"aa, 'answered 1 bytes, want 2'", "aacc, 'answered 2 bytes, want 2 with this rank'"})
  void shouldSayWhatIsWrongWithAnAnswer(String answer, String complaint) throws Exception {
    try (ZContext context = new ZContext()) {
      ZMQ.Socket reply = context.createSocket(SocketType.REP);
      reply.setReceiveTimeOut((int) PATIENCE.toMillis());
      reply.bind(endpoint());
      Future<byte[]> call =
          ranks.start(
              () -> {
                try (UniformAllGather channel = open(1, 2, PATIENCE)) {
                  return channel.gather(HEX.parseHex("bb"), ROUND_NANOS);
                }
              });
      assertThat(reply.recv()).hasSize(5);
      reply.send(HEX.parseHex(answer));
      assertFails(() -> ConcurrentRanks.get(call), Reason.SETTINGS_DIFFER, complaint);
    }
  }

  @Test
  void shouldNameWhoIsMissing() {
    try (UniformAllGather zero = open(0, 3, SHORT)) {
      assertFails(
          () -> zero.gather(new byte[2], ROUND_NANOS),
          Reason.TIMEOUT,
          "ranks [1, 2] sent nothing to " + endpoint());
    }
    try (UniformAllGather first = open(1, 3, PATIENCE)) {
      assertFails(
          () -> first.gather(new byte[2], SHORT.toNanos()),
          Reason.TIMEOUT,
          "rank 0 at " + endpoint() + " did not answer within ");
    }
  }

  @Test
  void shouldKeepOneDeadlineOverAllGathers() {
    AtomicLong nowNanos = new AtomicLong();
    try (UniformAllGather alone =
        ZeroMqSideChannel.open(address, 1, 2, Duration.ofSeconds(30), nowNanos::get)) {
      nowNanos.set(Duration.ofSeconds(31).toNanos());
      assertFails(
          () -> alone.gather(new byte[1], Duration.ofHours(1).toNanos()),
          Reason.TIMEOUT,
          "rank 0 at ");
    }
  }

  /** JeroMQ may sleep over the greeting of the first one. */
  @Test
  void shouldConnectOnceMoreWhereTheFirstConnectionIsNotGreeted() throws Exception {
    try (ServerSocket listener = RawSocket.listen(address)) {
      UniformAllGather channel = open(1, 2, PATIENCE);
      Future<byte[]> call = ranks.start(() -> channel.gather(new byte[1], ROUND_NANOS));
      try (RawSocket first = new RawSocket(listener.accept());
          RawSocket second = new RawSocket(listener.accept())) {
        assertThat(first.localPort()).isEqualTo(second.localPort());
        channel.close();
        assertFails(() -> ConcurrentRanks.get(call), Reason.STOPPED, "was closed");
      }
    }
  }

  @Test
  void shouldNotShareItsPort() throws IOException {
    try (ServerSocket other = RawSocket.listen(address)) {
      assertFails(
          () -> open(0, 2, SHORT),
          Reason.FABRIC,
          "rank 0 of 2: ZeroMQ star, bind: tcp://127.0.0.1:%d is in use by another program"
              .formatted(other.getLocalPort()));
    }
  }

  @Test
  void shouldSayThatTheAddressIsNotRankZeros() {
    assertFails(
        () ->
            ZeroMqSideChannel.open(
                new InetSocketAddress("192.0.2.1", 5000), 0, 2, SHORT, System::nanoTime),
        Reason.FABRIC,
        "tcp://192.0.2.1:5000");
  }

  @Test
  void shouldEndACallUnderWayWhenClosed() throws Exception {
    UniformAllGather zero = open(0, 2, PATIENCE);
    Future<byte[]> call = ranks.start(() -> zero.gather(new byte[1], ROUND_NANOS));
    zero.close();

    assertFails(
        () -> ConcurrentRanks.get(call), Reason.STOPPED, "the channel was closed on this rank");
    zero.close();
  }

  @Test
  void shouldRefuseRankOutOfRange() {
    assertFails(() -> open(2, 2, SHORT), Reason.RANK_CONFLICT, "rank is 2 of 2, want 0 to 1");
  }

  @Test
  void shouldBeAGroupOfOne() {
    try (UniformAllGather alone = open(0, 1, PATIENCE)) {
      assertThat(alone.gather(new byte[] {5}, ROUND_NANOS)).containsExactly(5);
      assertThat(alone.rank()).isZero();
      assertThat(alone.size()).isOne();
      assertThat(alone.loss()).isEmpty();
    }
  }

  @Test
  void shouldNameTheLibraryThatIsMissing() throws Exception {
    Class<?> isolated = new WithoutZeroMq().loadClass("io.jaccl4j.sidechannel.ZeroMqSideChannel");
    Method open =
        isolated.getMethod(
            "open",
            InetSocketAddress.class,
            int.class,
            int.class,
            Duration.class,
            LongSupplier.class);

    assertThatThrownBy(
            () -> open.invoke(null, address, 0, 2, SHORT, (LongSupplier) System::nanoTime))
        .isInstanceOf(InvocationTargetException.class)
        .cause()
        .isInstanceOf(ConfigurationException.class)
        .hasMessageStartingWith(
            "the ZeroMQ side channel needs org.zeromq:jeromq on the class path (org/zeromq/");
  }

  /** Sees this library's side channels anew, and nothing of ZeroMQ. */
  private static final class WithoutZeroMq extends ClassLoader {

    WithoutZeroMq() {
      super(ZeroMqSideChannelTest.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (name.startsWith("org.zeromq.") || name.startsWith("zmq.")) {
        throw new ClassNotFoundException(name);
      }
      if (!name.startsWith("io.jaccl4j.sidechannel.")) {
        return super.loadClass(name, resolve);
      }
      synchronized (getClassLoadingLock(name)) {
        Class<?> loaded = findLoadedClass(name);
        return loaded == null ? define(name) : loaded;
      }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
      try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
        byte[] bytes = in.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }

  private ZMQ.Socket request(ZContext context, String hex) {
    ZMQ.Socket socket = context.createSocket(SocketType.REQ);
    socket.setReceiveTimeOut((int) PATIENCE.toMillis());
    socket.setLinger(0);
    socket.connect(endpoint());
    socket.send(HEX.parseHex(hex));
    Thread.ofPlatform().daemon().name("nudge").start(() -> nudge(context));
    return socket;
  }

  /**
   * A foreign rank of JeroMQ 0.6.0 sometimes misses an event while it is greeted, and waits for the
   * next one; further connections make some at both ends.
   */
  private void nudge(ZContext context) {
    try (ZContext shadow = context.shadow()) {
      for (int i = 0; i < NUDGES && !context.isClosed(); i++) {
        LockSupport.parkNanos(NUDGE_NANOS);
        ZMQ.Socket silent = shadow.createSocket(SocketType.DEALER);
        silent.setLinger(0);
        silent.connect(endpoint());
      }
    } catch (ZMQException | ZError.CtxTerminatedException | IllegalStateException e) {
      // The test is over and its context closed.
    }
  }

  private String endpoint() {
    return "tcp://127.0.0.1:" + address.getPort();
  }

  private UniformAllGather open(int rank, int size, Duration timeout) {
    return ZeroMqSideChannel.open(address, rank, size, timeout, System::nanoTime);
  }

  private static void assertFails(ThrowingCallable call, Reason reason, String... complaints) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            FormationException.class, e -> assertThat(e.reason()).as("%s", e).isEqualTo(reason))
        .hasMessageContainingAll(complaints);
  }
}
