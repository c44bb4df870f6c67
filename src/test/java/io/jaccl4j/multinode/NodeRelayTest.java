package io.jaccl4j.multinode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class NodeRelayTest {
  private static final int BYTES = 20_000;

  @Test
  void shouldLetBytesThroughInOrderNoFasterThanItsLimitUntilThatIsLifted() throws IOException {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    try (ServerSocket node = new ServerSocket(0, 1, loopback)) {
      NodeRelay relay = NodeRelay.start(node.getLocalPort());
      try (Socket peer = new Socket(loopback, relay.port());
          Socket accepted = node.accept()) {
        byte[] sent = new byte[BYTES];
        new Random(1).nextBytes(sent);
        relay.limit(2 * BYTES);
        final long startNanos = System.nanoTime();
        peer.getOutputStream().write(sent);
        assertThat(accepted.getInputStream().readNBytes(BYTES)).isEqualTo(sent);
        // The last chunk need not wait.
        assertThat(System.nanoTime() - startNanos)
            .isGreaterThan(TimeUnit.MILLISECONDS.toNanos(450));
        assertThat(relay.delayedNanos()).isPositive();

        accepted.getOutputStream().write(sent);
        assertThat(peer.getInputStream().readNBytes(BYTES)).as("the way back").isEqualTo(sent);

        relay.limit(1);
        peer.getOutputStream().write(sent);
        relay.limit(NodeRelay.UNLIMITED);
        assertThat(accepted.getInputStream().readNBytes(BYTES)).isEqualTo(sent);
      }
    }
  }
}
