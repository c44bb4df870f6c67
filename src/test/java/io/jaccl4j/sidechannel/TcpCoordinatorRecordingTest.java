package io.jaccl4j.sidechannel;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Against the bytes of upstream JACCL, in every role. */
@Timeout(60)
class TcpCoordinatorRecordingTest {
  private static final HexFormat HEX = HexFormat.of();
  private static final int SIZE = CoordinatorRecording.SIZE;
  private static final long ROUND_NANOS = Duration.ofSeconds(20).toNanos();

  private final ConcurrentRanks ranks = new ConcurrentRanks();

  static List<CoordinatorRecording> recordings() {
    return CoordinatorRecording.all().toList();
  }

  @AfterEach
  void end() {
    ranks.close();
  }

  @ParameterizedTest
  @MethodSource("recordings")
  void shouldBeRankZeroOfRanksOfJaccl(CoordinatorRecording recording) throws Exception {
    InetSocketAddress address = RawSocket.freeAddress();
    Future<List<String>> root = ranks.start(() -> gatherAll(recording, 0, address));

    // Rank 2 comes first: the order of arrival does not count.
    try (RawSocket second = RawSocket.connect(address);
        RawSocket first = RawSocket.connect(address)) {
      second.send(recording.hello(2));
      first.send(recording.hello(1));
      StringBuilder received = new StringBuilder();
      for (CoordinatorRecording.Round round : recording.rounds()) {
        second.send(round.contributions().get(2));
        first.send(round.contributions().get(1));
        String all = first.receive(SIZE * round.bytes());
        assertThat(second.receive(SIZE * round.bytes())).isEqualTo(all);
        received.append(all);
      }
      assertThat(received).hasToString(recording.received());
      assertThat(ConcurrentRanks.get(root))
          .isEqualTo(recording.rounds().stream().map(CoordinatorRecording.Round::all).toList());
      assertThat(first.isEnded()).isTrue();
      assertThat(second.isEnded()).isTrue();
    }
  }

  @ParameterizedTest
  @MethodSource("recordings")
  void shouldBeAnotherRankBesideRankZeroOfJaccl(CoordinatorRecording recording) throws Exception {
    for (int rank = 1; rank < SIZE; rank++) {
      InetSocketAddress address = RawSocket.freeAddress();
      try (ServerSocket listener = RawSocket.listen(address)) {
        int me = rank;
        Future<List<String>> other = ranks.start(() -> gatherAll(recording, me, address));
        try (RawSocket root = new RawSocket(listener.accept())) {
          StringBuilder sent = new StringBuilder(root.receive(Integer.BYTES));
          for (CoordinatorRecording.Round round : recording.rounds()) {
            sent.append(root.receive(round.bytes()));
            root.send(round.all());
          }
          assertThat(ConcurrentRanks.get(other))
              .isEqualTo(recording.rounds().stream().map(CoordinatorRecording.Round::all).toList());
          sent.append(root.receiveAll());
          assertThat(sent).as("stream of rank %d", rank).hasToString(recording.streams().get(rank));
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("recordings")
  void shouldFormAGroupOfItsOwnKind(CoordinatorRecording recording) throws Exception {
    InetSocketAddress address = RawSocket.freeAddress();

    assertThat(ranks.all(SIZE, rank -> gatherAll(recording, rank, address)))
        .containsOnly(recording.rounds().stream().map(CoordinatorRecording.Round::all).toList());
  }

  /** Length, destinations and barrier, made by the typed gathers, in both kinds of group. */
  @Test
  void shouldSendWhatJacclSendsForAMesh() throws Exception {
    CoordinatorRecording mesh = CoordinatorRecording.named("mesh");
    assertTypedGathers(
        mesh,
        (gathers, rank) -> {
          List<byte[]> destinations = gathers.vector(contribution(mesh, 1, rank), 32);
          gathers.barrier();
          return join(destinations);
        },
        mesh.rounds().get(1).all());
  }

  @Test
  void shouldSendWhatJacclSendsForARing() throws Exception {
    for (String name : List.of("ring_1_wire", "ring_2_wires")) {
      CoordinatorRecording ring = CoordinatorRecording.named(name);
      assertTypedGathers(
          ring,
          (gathers, rank) -> {
            List<byte[]> left = gathers.vector(contribution(ring, 1, rank), 32);
            List<byte[]> right = gathers.vector(contribution(ring, 3, rank), 32);
            gathers.barrier();
            return join(left) + join(right);
          },
          ring.rounds().get(1).all() + ring.rounds().get(3).all());
    }
  }

  @Test
  void shouldSendWhatJacclSendsForScalars() throws Exception {
    assertTypedGathers(
        CoordinatorRecording.named("scalars"),
        (gathers, rank) -> {
          int[] ints = gathers.int32(1000 * rank - 1);
          long[] longs = gathers.int64(-(rank + 1));
          return Arrays.toString(ints)
              + Arrays.toString(longs)
              + gathers.scalar(new byte[0]).size();
        },
        "[-1, 999, 1999][-1, -2, -3]3");
  }

  @Test
  void shouldPadUnevenVectorsAsJacclDoes() throws Exception {
    assertTypedGathers(
        CoordinatorRecording.named("uneven_vectors"),
        (gathers, rank) -> {
          int count = List.of(1, 3, 2).get(rank);
          ByteBuffer values = ByteBuffer.allocate(4 * count).order(ByteOrder.LITTLE_ENDIAN);
          for (int i = 0; i < count; i++) {
            values.putInt(0x0a0b0c00 + 16 * rank + i);
          }
          return gathers.vector(values.array(), 4).stream().map(HEX::formatHex).toList();
        },
        List.of("000c0b0a", "100c0b0a110c0b0a120c0b0a", "200c0b0a210c0b0a"));
  }

  private interface TypedTask {
    Object run(TypedGathers gathers, int rank);
  }

  private void assertTypedGathers(CoordinatorRecording recording, TypedTask task, Object expected)
      throws Exception {
    for (int rank = 1; rank < SIZE; rank++) {
      InetSocketAddress address = RawSocket.freeAddress();
      try (ServerSocket listener = RawSocket.listen(address)) {
        int me = rank;
        Future<Object> result = ranks.start(() -> typed(task, me, address));
        try (RawSocket root = new RawSocket(listener.accept())) {
          StringBuilder sent = new StringBuilder(root.receive(Integer.BYTES));
          for (CoordinatorRecording.Round round : recording.rounds()) {
            sent.append(root.receive(round.bytes()));
            root.send(round.all());
          }
          assertThat(ConcurrentRanks.get(result)).isEqualTo(expected);
          assertThat(sent.append(root.receiveAll())).hasToString(recording.streams().get(rank));
        }
      }
    }
    InetSocketAddress address = RawSocket.freeAddress();
    assertThat(ranks.all(SIZE, rank -> typed(task, rank, address))).containsOnly(expected);
  }

  private static Object typed(TypedTask task, int rank, InetSocketAddress address) {
    try (TcpCoordinator channel = open(rank, address)) {
      return task.run(new TypedGathers(channel, ROUND_NANOS, System::nanoTime), rank);
    }
  }

  private static byte[] contribution(CoordinatorRecording recording, int round, int rank) {
    return HEX.parseHex(recording.rounds().get(round).contributions().get(rank));
  }

  private static String join(List<byte[]> parts) {
    StringBuilder hex = new StringBuilder();
    parts.forEach(part -> hex.append(HEX.formatHex(part)));
    return hex.toString();
  }

  private static List<String> gatherAll(
      CoordinatorRecording recording, int rank, InetSocketAddress address) {
    try (TcpCoordinator channel = open(rank, address)) {
      List<String> all = new ArrayList<>();
      for (CoordinatorRecording.Round round : recording.rounds()) {
        byte[] contribution = HEX.parseHex(round.contributions().get(rank));
        all.add(HEX.formatHex(channel.gather(contribution, ROUND_NANOS)));
      }
      return all;
    }
  }

  private static TcpCoordinator open(int rank, InetSocketAddress address) {
    return TcpCoordinator.open(
        new TcpCoordinatorSettings(address, Duration.ofSeconds(20)), rank, SIZE, System::nanoTime);
  }
}
