package io.jaccl4j.fabric.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.jaccl4j.fabric.FabricException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is made of the answers that come from where the peer should be. */
@Timeout(60)
class RendezvousAnswerTest extends RendezvousFixture {
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
  void shouldSayThatThePeerConnectsButDoesNotAnswer() {
    // The backlog of its listener connects; nobody is there to accept.
    FakePeer silent = kept(FakePeer.listening());
    FabricThread first = rank(0, 2, Duration.ofSeconds(4));
    assertThat(causeOf(first.connect(first.destination(), silent.destination())))
        .isInstanceOfSatisfying(FabricException.class, e -> assertThat(e.peer()).isOne())
        .hasMessageContaining("connected, but no answer to the hello");
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
}
