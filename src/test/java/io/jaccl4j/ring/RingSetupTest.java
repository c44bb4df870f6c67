package io.jaccl4j.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.jaccl4j.Dtype;
import io.jaccl4j.FormationException;
import io.jaccl4j.FormationException.Reason;
import io.jaccl4j.OperationMismatchException;
import io.jaccl4j.testing.LocalRanks;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How a ring's connections come about, and what is said if they do not. */
@Timeout(60)
class RingSetupTest {
  private static final RingOptions PATIENT =
      RingOptions.of(Duration.ofSeconds(20), Duration.ofSeconds(20));
  private static final RingOptions IMPATIENT =
      RingOptions.of(Duration.ofMillis(400), Duration.ofSeconds(20));
  private static final byte[] KEY = "a secret of all ranks".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] OTHER_KEY = "another secret".getBytes(StandardCharsets.US_ASCII);

  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void stopThreads() {
    threads.shutdownNow();
  }

  private CompletableFuture<MlxRing> connect(RingHosts hosts, int rank, RingOptions options) {
    return CompletableFuture.supplyAsync(() -> MlxRing.connect(hosts, rank, options), threads);
  }

  private static FormationException failure(CompletableFuture<MlxRing> connecting) {
    return catchThrowableOfType(FormationException.class, () -> LocalRanks.get(connecting));
  }

  private static String text(RingHosts hosts, int rank) {
    return RingHosts.text(hosts.address(rank, 0));
  }

  @Test
  void shouldNameWhoIsMissingAtTheDeadline() {
    RingHosts hosts = RingRanks.hosts(3, 1);
    FormationException failure = failure(connect(hosts, 1, IMPATIENT));
    assertThat(failure.reason()).isEqualTo(Reason.TIMEOUT);
    assertThat(failure.getMessage())
        .contains("rank 1 of 3")
        .contains("rank 2 at " + text(hosts, 2) + " did not answer")
        .containsPattern("\\d+ attempts, 0\\.\\d s, last: Connection refused")
        .contains("rank 0 has not connected to " + text(hosts, 1));
  }

  @Test
  void shouldNameANeighbourThatDropsEverything() throws IOException {
    // Reserved for documentation: nobody answers there, if there is a way there at all.
    InetSocketAddress blackHole = new InetSocketAddress("192.0.2.1", 32324);
    InetSocketAddress own = new InetSocketAddress("0.0.0.0", freePort());
    RingHosts hosts = new RingHosts(List.of(List.of(own), List.of(blackHole)));
    FormationException failure = failure(connect(hosts, 0, IMPATIENT));
    assertThat(failure.reason()).isEqualTo(Reason.TIMEOUT);
    assertThat(failure.getMessage()).contains("rank 1 at 192.0.2.1:32324 did not answer (");
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  @Test
  void shouldSayWhichPortIsInUse() throws IOException {
    RingHosts hosts = RingRanks.hosts(2, 1);
    InetSocketAddress own = hosts.address(0, 0);
    try (ServerSocket socket = new ServerSocket(own.getPort(), 1, own.getAddress())) {
      assertThat(socket.isBound()).isTrue();
      FormationException failure = failure(connect(hosts, 0, PATIENT));
      assertThat(failure.reason()).isEqualTo(Reason.FABRIC);
      assertThat(failure.getMessage())
          .contains("rank 0 cannot accept connections at its address " + text(hosts, 0))
          .contains("Address already in use");
    }
  }

  @Test
  void shouldSayWhichAddressIsNotOfThisHost() {
    RingHosts hosts =
        new RingHosts(
            List.of(
                List.of(new InetSocketAddress("192.0.2.1", 5000)),
                List.of(new InetSocketAddress("192.0.2.2", 5000))));
    FormationException failure = failure(connect(hosts, 0, PATIENT));
    assertThat(failure.reason()).isEqualTo(Reason.FABRIC);
    assertThat(failure.getMessage())
        .contains("192.0.2.1:5000")
        .contains("Cannot assign requested address");
  }

  @Test
  void shouldRefuseARankThatIsNotThere() {
    RingHosts hosts = RingRanks.hosts(2, 1);
    assertThatThrownBy(() -> MlxRing.connect(hosts, 2, PATIENT))
        .isInstanceOfSatisfying(
            FormationException.class, e -> assertThat(e.reason()).isEqualTo(Reason.RANK_CONFLICT))
        .hasMessageContaining("rank is 2, want 0 to 1");
    assertThatThrownBy(() -> MlxRing.connect(hosts, -1, PATIENT))
        .hasMessageContaining("rank is -1, want 0 to 1");
  }

  @Test
  void shouldReleaseItsPortsWhenItIsConnectedAndWhenItFails() throws IOException {
    RingHosts hosts = RingRanks.hosts(2, 2);
    failure(connect(hosts, 0, IMPATIENT));
    try (RingRanks ranks = RingRanks.form(hosts, PATIENT)) {
      assertThat(ranks.size()).isEqualTo(2);
      for (List<InetSocketAddress> row : hosts.rows()) {
        for (InetSocketAddress address : row) {
          assertThatThrownBy(() -> new Socket(address.getAddress(), address.getPort()).close())
              .hasMessageContaining("refused");
        }
      }
    }
    try (RingRanks again = RingRanks.form(hosts, PATIENT)) {
      assertThat(again.size()).isEqualTo(2);
    }
  }

  @Test
  void shouldMakeAHundredConnectionsAtOnce() {
    try (RingRanks ranks = RingRanks.form(8, 13, PATIENT)) {
      checkSum(ranks);
    }
  }

  @Test
  void shouldLeaveNoDescriptorsOpen() throws IOException {
    Path descriptors = Path.of("/proc/self/fd");
    assumeThat(Files.isDirectory(descriptors)).as("list of this process's descriptors").isTrue();
    RingRanks.form(3, 2, PATIENT).close();
    long before = count(descriptors);
    for (int i = 0; i < 20; i++) {
      RingRanks.form(4, 2, PATIENT.withKey(KEY).withExtensions(true)).close();
      RingOptions hasty = RingOptions.of(Duration.ofMillis(10), Duration.ofSeconds(1));
      failure(connect(RingRanks.hosts(3, 2), 1, hasty));
    }
    // Other tests' threads may open and close a few at any time.
    Awaitility.await().until(() -> count(descriptors) < before + 20);
  }

  private static long count(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.count();
    }
  }

  @Test
  void shouldConnectOverIpv6() throws IOException {
    InetAddress loopback = InetAddress.getByName("::1");
    assumeThat(NetworkInterface.getByInetAddress(loopback)).as("interface with ::1").isNotNull();
    RingHosts hosts = RingRanks.hosts(3, 2, loopback);
    assertThat(text(hosts, 0)).startsWith("[0:0:0:0:0:0:0:1]:");
    try (RingRanks ranks = RingRanks.form(hosts, PATIENT)) {
      checkSum(ranks);
    }
  }

  private static void checkSum(RingRanks ranks) {
    int size = ranks.size();
    ranks.runOnAll(
        ring ->
            assertThat(ForeignRankTest.allSum(ring, new int[] {ring.rank(), 1, 2, 3, 4, 5}))
                .containsExactly(
                    size * (size - 1) / 2, size, 2 * size, 3 * size, 4 * size, 5 * size));
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 5})
  void shouldConnectRanksThatKnowTheKey(int size) {
    for (boolean extensions : new boolean[] {false, true}) {
      RingOptions options = PATIENT.withKey(KEY).withExtensions(extensions);
      try (RingRanks ranks = RingRanks.form(size, 2, options)) {
        checkSum(ranks);
      }
    }
  }

  @Test
  void shouldRefuseARankWithAnotherKey() {
    RingHosts hosts = RingRanks.hosts(2, 1);
    CompletableFuture<MlxRing> first = connect(hosts, 0, IMPATIENT.withKey(KEY));
    CompletableFuture<MlxRing> second = connect(hosts, 1, IMPATIENT.withKey(OTHER_KEY));
    List<FormationException> failures = List.of(failure(first), failure(second));
    // Whoever finds out first is gone before the other can.
    assertThat(failures)
        .anySatisfy(
            failure -> {
              assertThat(failure.reason()).isEqualTo(Reason.SETTINGS_DIFFER);
              assertThat(failure.getMessage())
                  .matches("rank [01] at 127.0.0.1:\\d+ does not know this ring's key");
            });
    assertThat(failures).doesNotContainNull();
  }

  @Test
  void shouldSayThatANeighbourHasNoKey() {
    RingHosts hosts = RingRanks.hosts(2, 1);
    CompletableFuture<MlxRing> with = connect(hosts, 0, IMPATIENT.withKey(KEY));
    CompletableFuture<MlxRing> without = connect(hosts, 1, PATIENT);
    assertThat(failure(with).getMessage())
        .contains(
            "has not answered to an introduction; does that rank have the same options and version?")
        .contains("has not introduced itself; does that rank have the same options and version?");
    // The one without has its connections, and loses them.
    MlxRing bare = LocalRanks.get(without);
    Awaitility.await().until(() -> bare.failure().isPresent());
    bare.close();
  }

  @Test
  void shouldRefuseARankWithOtherExtensionsThatKnowsTheKey() {
    RingHosts hosts = RingRanks.hosts(2, 1);
    CompletableFuture<MlxRing> with = connect(hosts, 0, PATIENT.withKey(KEY).withExtensions(true));
    CompletableFuture<MlxRing> without = connect(hosts, 1, PATIENT.withKey(KEY));
    for (CompletableFuture<MlxRing> one : List.of(with, without)) {
      assertThat(failure(one).reason()).isIn(Reason.SETTINGS_DIFFER, Reason.PEER_FAILED);
    }
    assertThat(
            List.of(failure(with).getMessage(), failure(without).getMessage()).stream()
                .anyMatch(
                    message ->
                        message.contains("without extensions, want rank 1 of 2")
                            || message.contains("with extensions, want rank 0 of 2")))
        .isTrue();
  }

  /** It forms at once, since MLX's ring says nothing; the introduction is no data. */
  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void shouldNotTakeAnIntroductionForData(int size) {
    RingHosts hosts = RingRanks.hosts(size, 1);
    List<CompletableFuture<MlxRing>> others = new ArrayList<>();
    for (int rank = 1; rank < size; rank++) {
      others.add(connect(hosts, rank, PATIENT));
    }
    CompletableFuture<MlxRing> extended = connect(hosts, 0, IMPATIENT.withExtensions(true));
    try (MlxRing next = LocalRanks.get(others.getFirst())) {
      MemorySegment data = next.allocate(32);
      assertThatThrownBy(() -> next.recv(data, 0))
          .isInstanceOf(OperationMismatchException.class)
          .hasMessageContaining("rank 0 (" + text(hosts, 0) + ") introduces itself");
      assertThat(data.toArray(ValueLayout.JAVA_BYTE)).containsOnly(0);
    }
    assertThat(failure(extended)).isNotNull();
    others.forEach(other -> other.thenAccept(MlxRing::close));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void shouldSayThatANeighbourHasNoExtensions(int impatient) {
    RingHosts hosts = RingRanks.hosts(4, 1);
    List<CompletableFuture<MlxRing>> connecting = new ArrayList<>();
    for (int rank = 0; rank < 4; rank++) {
      RingOptions options = rank == impatient ? IMPATIENT : PATIENT;
      connecting.add(connect(hosts, rank, options.withExtensions(rank != 2)));
    }
    assertThat(failure(connecting.get(impatient)).getMessage())
        .contains(
            impatient == 1
                ? "rank 2 at "
                    + text(hosts, 2)
                    + " accepted a connection but has not answered to an"
                    + " introduction"
                : "has not introduced itself; does that rank have the same options and version?");
    LocalRanks.get(connecting.get(2)).close();
  }

  @Test
  void shouldNotBeDisturbedByStrangersIfItHasAKey() throws IOException {
    RingHosts hosts = RingRanks.hosts(2, 1);
    RingOptions options = PATIENT.withKey(KEY);
    CompletableFuture<MlxRing> first = connect(hosts, 0, options);
    List<Socket> strangers = new ArrayList<>();
    InetSocketAddress address = hosts.address(0, 0);
    Awaitility.await()
        .ignoreExceptions()
        .until(() -> strangers.add(new Socket(address.getAddress(), address.getPort())));
    for (int i = 0; i < 40; i++) {
      strangers.add(new Socket(address.getAddress(), address.getPort()));
    }
    strangers.get(1).getOutputStream().write(new byte[200]);
    strangers.get(2).close();
    strangers.get(3).getOutputStream().write("JACCLrng".getBytes(StandardCharsets.US_ASCII));
    try (MlxRing second = LocalRanks.get(connect(hosts, 1, options));
        MlxRing connected = LocalRanks.get(first)) {
      assertThat(connected.failure()).isEmpty();
      assertThat(second.failure()).isEmpty();
    }
    for (Socket stranger : strangers) {
      stranger.close();
    }
  }

  @Test
  void shouldSendNothingButDataWithoutAKey() throws IOException {
    RingHosts hosts = RingRanks.hosts(2, 1);
    CompletableFuture<MlxRing> connecting = connect(hosts, 0, PATIENT);
    try (ForeignRank foreign = new ForeignRank(hosts, 1).connect()) {
      try (MlxRing ring = LocalRanks.get(connecting)) {
        ring.send(ring.allocate(3).fill((byte) 7), 1);
      }
      assertThat(foreign.left(0).getInputStream().readAllBytes()).containsExactly(7, 7, 7);
      assertThat(foreign.right(0).getInputStream().readAllBytes()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldFailWhenANeighbourLeavesBeforeAllAreThere(boolean resets) {
    RingHosts hosts = RingRanks.hosts(3, 1);
    CompletableFuture<MlxRing> connecting = connect(hosts, 1, PATIENT);
    try (ForeignRank left = new ForeignRank(hosts, 0)) {
      left.connectRight();
      if (resets) {
        left.reset();
      } else {
        left.leave();
      }
      FormationException failure = failure(connecting);
      assertThat(failure.reason()).isEqualTo(Reason.PEER_FAILED);
      assertThat(failure.getMessage()).contains("rank 0 (").contains("while it formed");
    }
  }

  @Test
  void shouldEndAtOnceWhenItsCallerIsInterrupted() {
    RingHosts hosts = RingRanks.hosts(2, 1);
    CompletableFuture<Thread> caller = new CompletableFuture<>();
    CompletableFuture<MlxRing> connecting =
        CompletableFuture.supplyAsync(
            () -> {
              caller.complete(Thread.currentThread());
              return MlxRing.connect(hosts, 0, PATIENT);
            },
            threads);
    LocalRanks.get(caller).interrupt();
    assertThat(failure(connecting).reason()).isEqualTo(Reason.STOPPED);
  }

  @Test
  void shouldCopyInARingOfOne() {
    RingHosts hosts = RingRanks.hosts(1, 1);
    try (MlxRing ring = MlxRing.connect(hosts, 0, PATIENT.withExtensions(true))) {
      assertThat(ForeignRankTest.allSum(ring, new int[] {3, -1})).containsExactly(3, -1);
      ring.barrier();
      ring.sumScatter(ring.allocate(8), ring.allocate(8), Dtype.INT32);
      ring.allGather(ring.allocate(8), ring.allocate(8));
    }
  }
}
