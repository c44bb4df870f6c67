package io.jaccl4j.fabric.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.jaccl4j.fabric.FabricException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Who gets a place and who does not, however it goes about it; and what the others are told. */
@Timeout(60)
class RendezvousIntrusionTest extends RendezvousFixture {
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
}
