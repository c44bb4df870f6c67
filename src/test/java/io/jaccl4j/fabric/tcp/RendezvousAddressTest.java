package io.jaccl4j.fabric.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jaccl4j.GroupSettings;
import io.jaccl4j.fabric.FabricException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Where a rank listens, and what is said of an address where nobody does. */
@Timeout(60)
class RendezvousAddressTest extends RendezvousFixture {
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
  void shouldRefuseAPortThatIsTaken() throws IOException {
    try (ServerSocketChannel taken =
        ServerSocketChannel.open()
            .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
      int port = ((InetSocketAddress) taken.getLocalAddress()).getPort();
      GroupSettings settings =
          settings(2, SHORT).withTcp(new GroupSettings.Tcp("127.0.0.1", List.of(), port, 1, 0, 0));
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
        settings(2, SHORT).withTcp(new GroupSettings.Tcp("127.0.0.1", List.of(), port, 1, 0, 0));
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
