package io.jaccl4j.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jaccl4j.FormationException;
import io.jaccl4j.testing.LocalRanks;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The proof of the key, byte by byte, against peers that are scripted here. */
@Timeout(60)
class HandshakeTest {
  private static final byte[] KEY = "a secret of all ranks".getBytes(StandardCharsets.US_ASCII);
  private static final RingOptions OPTIONS =
      RingOptions.of(Duration.ofSeconds(20), Duration.ofSeconds(20)).withKey(KEY);

  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void stopThreads() {
    threads.shutdownNow();
  }

  private CompletableFuture<MlxRing> connect(RingHosts hosts, RingOptions options) {
    return CompletableFuture.supplyAsync(() -> MlxRing.connect(hosts, 0, options), threads);
  }

  /** Rank 1 of 2 with one connection, and a nonce. */
  private static byte[] introduction(int filler) {
    byte[] nonce = new byte[32];
    Arrays.fill(nonce, (byte) filler);
    return ByteBuffer.allocate(64)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put("JACCLrng".getBytes(StandardCharsets.US_ASCII))
        .putInt(2)
        .putInt(2)
        .putInt(1)
        .putInt(1)
        .putInt(0)
        .putInt(0)
        .put(nonce)
        .array();
  }

  private static byte[] code(byte[] key, String word, byte[] hello, byte[] challenge) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      mac.update(word.getBytes(StandardCharsets.US_ASCII));
      mac.update(hello);
      mac.update(challenge, 0, 64);
      return mac.doFinal();
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  /** Connects like a left neighbour, as soon as somebody listens. */
  private static Socket dial(InetSocketAddress address) {
    Socket[] socket = new Socket[1];
    Awaitility.await()
        .ignoreExceptions()
        .until(
            () -> {
              socket[0] = new Socket(address.getAddress(), address.getPort());
              return true;
            });
    return socket[0];
  }

  /** Says who it is and proves it; the proof. */
  private static byte[] prove(Socket socket, byte[] key) throws IOException {
    byte[] hello = introduction(5);
    socket.getOutputStream().write(hello);
    byte[] challenge = ForeignRank.read(socket, 96);
    assertThat(Arrays.copyOf(challenge, 20))
        .as("magic, version, size and rank")
        .isEqualTo(
            ByteBuffer.allocate(20)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put("JACCLrng".getBytes(StandardCharsets.US_ASCII))
                .putInt(2)
                .putInt(2)
                .putInt(0)
                .array());
    assertThat(Arrays.copyOfRange(challenge, 64, 96))
        .isEqualTo(code(KEY, "challenge", hello, challenge));
    byte[] proof = code(key, "proof", hello, challenge);
    socket.getOutputStream().write(proof);
    return proof;
  }

  /** Accepts like a right neighbour and answers. */
  private static Socket answer(ServerSocket listener, byte[] key) throws IOException {
    Socket socket = listener.accept();
    byte[] hello = ForeignRank.read(socket, 64);
    byte[] challenge = introduction(9);
    ByteArrayOutputStream message = new ByteArrayOutputStream();
    message.write(challenge);
    message.write(code(key, "challenge", hello, challenge));
    socket.getOutputStream().write(message.toByteArray());
    if (Arrays.equals(key, KEY)) {
      assertThat(ForeignRank.read(socket, 32)).isEqualTo(code(KEY, "proof", hello, challenge));
    }
    return socket;
  }

  @Test
  void shouldProveTheKeyToBothNeighboursAndThenSendData() throws IOException {
    RingHosts hosts = RingRanks.hosts(2, 1);
    InetSocketAddress right = hosts.address(1, 0);
    try (ServerSocket listener = new ServerSocket(right.getPort(), 1, right.getAddress())) {
      CompletableFuture<MlxRing> connecting = connect(hosts, OPTIONS);
      try (Socket toRight = answer(listener, KEY);
          Socket fromLeft = dial(hosts.address(0, 0))) {
        prove(fromLeft, KEY);
        fromLeft.getOutputStream().write(new byte[] {1, 2, 3});
        try (MlxRing ring = LocalRanks.get(connecting)) {
          MemorySegment data = ring.allocate(3);
          ring.recv(data, 1);
          assertThat(data.toArray(ValueLayout.JAVA_BYTE)).containsExactly(1, 2, 3);
          ring.send(data, 1);
        }
        assertThat(toRight.getInputStream().readAllBytes()).containsExactly(1, 2, 3);
      }
    }
  }

  @Test
  void shouldRefuseAWrongProofAndAReplayedOneAndStillWaitForTheNeighbour() throws IOException {
    RingHosts hosts = RingRanks.hosts(2, 1);
    InetSocketAddress right = hosts.address(1, 0);
    try (ServerSocket listener = new ServerSocket(right.getPort(), 1, right.getAddress())) {
      CompletableFuture<MlxRing> connecting = connect(hosts, OPTIONS);
      try (Socket toRight = answer(listener, KEY)) {
        assertThat(toRight.isConnected()).isTrue();
        byte[] wrong = "no secret".getBytes(StandardCharsets.US_ASCII);
        try (Socket stranger = dial(hosts.address(0, 0))) {
          prove(stranger, wrong);
          assertThat(stranger.getInputStream().read()).isEqualTo(-1);
        }
        byte[] recorded;
        try (Socket listenedTo = dial(hosts.address(0, 0))) {
          // Proved, but with another nonce of the one that accepts.
          listenedTo.getOutputStream().write(introduction(5));
          byte[] challenge = ForeignRank.read(listenedTo, 96);
          recorded = code(KEY, "proof", introduction(5), challenge);
        }
        try (Socket replaying = dial(hosts.address(0, 0))) {
          replaying.getOutputStream().write(introduction(5));
          ForeignRank.read(replaying, 96);
          replaying.getOutputStream().write(recorded);
          assertThat(replaying.getInputStream().read()).isEqualTo(-1);
        }
        assertThat(connecting).isNotDone();
        try (Socket neighbour = dial(hosts.address(0, 0))) {
          prove(neighbour, KEY);
          LocalRanks.get(connecting).close();
        }
      }
    }
  }

  @Test
  void shouldFailAtOnceWhenTheRightNeighbourDoesNotKnowTheKey() throws IOException {
    RingHosts hosts = RingRanks.hosts(2, 1);
    InetSocketAddress right = hosts.address(1, 0);
    try (ServerSocket listener = new ServerSocket(right.getPort(), 1, right.getAddress())) {
      CompletableFuture<MlxRing> connecting = connect(hosts, OPTIONS);
      try (Socket toRight = answer(listener, new byte[] {1})) {
        assertThatThrownBy(() -> LocalRanks.get(connecting))
            .isInstanceOf(FormationException.class)
            .hasMessage("rank 1 at " + RingHosts.text(right) + " does not know this ring's key");
        assertThat(toRight.getInputStream().read()).as("no proof is sent").isEqualTo(-1);
      }
    }
  }
}
