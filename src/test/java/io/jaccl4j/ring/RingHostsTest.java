package io.jaccl4j.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jaccl4j.FormationException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Addresses of which no ring can be made, and why. */
class RingHostsTest {

  private static List<InetSocketAddress> row(String... addresses) {
    List<InetSocketAddress> row = new ArrayList<>();
    for (String address : addresses) {
      int colon = address.lastIndexOf(':');
      row.add(
          new InetSocketAddress(
              address.substring(0, colon), Integer.parseInt(address.substring(colon + 1))));
    }
    return row;
  }

  @Test
  void shouldNameRankAndAddressAtFault() {
    assertThatThrownBy(() -> new RingHosts(List.of())).hasMessageContaining("there are no ranks");
    assertThatThrownBy(() -> new RingHosts(List.of(row("10.0.0.1:1"), row())))
        .hasMessageContaining("rank 1 has no address");
    assertThatThrownBy(
            () -> new RingHosts(List.of(row("10.0.0.1:1", "10.0.0.1:2"), row("10.0.0.2:1"))))
        .hasMessageContaining("rank 1 has 1 addresses and rank 0 has 2")
        .hasMessageContaining("as many connections to the left as to the right");
    assertThatThrownBy(() -> new RingHosts(List.of(row("10.0.0.1:1"), row("10.0.0.1:1"))))
        .hasMessageContaining("10.0.0.1:1 of rank 1 is also an address of rank 0");
    assertThatThrownBy(() -> new RingHosts(List.of(row("10.0.0.1:0"))))
        .hasMessageContaining("10.0.0.1:0 of rank 0 has port 0, want 1 to 65535");
    InetSocketAddress unknown = InetSocketAddress.createUnresolved("no-such-host", 5);
    assertThatThrownBy(() -> new RingHosts(List.of(row("10.0.0.1:1"), List.of(unknown))))
        .hasMessageContaining("no-such-host:5 of rank 1 cannot be resolved");
  }

  /** Checks for rank 0 on a host that has these addresses besides the loopback ones. */
  private static void check(List<List<InetSocketAddress>> rows, String... local)
      throws UnknownHostException {
    List<InetAddress> own = new ArrayList<>();
    for (String address : local) {
      own.add(InetAddress.getByName(address));
    }
    Set<InetAddress> set = Set.copyOf(own);
    new Reachability(
            new RingHosts(rows), 0, address -> address.isLoopbackAddress() || set.contains(address))
        .check();
  }

  @Test
  void shouldAcceptAddressesThatCanBeReached() throws UnknownHostException {
    check(Arrays.asList(row("127.0.0.1:1"), row("127.0.0.1:2"), row("10.0.0.7:3")), "10.0.0.7");
    check(Arrays.asList(row("10.0.0.1:1"), row("10.0.0.2:1"), row("10.0.0.3:1")), "10.0.0.1");
    // The neighbours of rank 0 are on its host, so that its loopback address will do.
    check(
        Arrays.asList(
            row("127.0.0.1:1"), row("127.0.0.1:2"), row("10.0.0.9:1"), row("127.0.0.1:3")),
        "10.0.0.1");
  }

  @Test
  void shouldRefuseALoopbackAddressForANeighbourElsewhere() {
    assertThatThrownBy(
            () -> check(Arrays.asList(row("127.0.1.1:1"), row("10.0.0.2:2")), "10.0.0.1"))
        .isInstanceOf(FormationException.class)
        .hasMessageContaining("127.0.1.1:1 of rank 0 is a loopback address")
        .hasMessageContaining("rank 1 at 10.0.0.2:2 on another host cannot reach");
  }

  @Test
  void shouldRefuseAnAddressThatBothHostsHave() {
    assertThatThrownBy(
            () ->
                check(
                    Arrays.asList(
                        row("10.0.0.1:1", "172.17.0.1:2"), row("10.0.0.2:1", "172.17.0.1:3")),
                    "10.0.0.1",
                    "172.17.0.1"))
        .isInstanceOf(FormationException.class)
        .hasMessageContaining("172.17.0.1:3 of rank 1 is an address of this host, too")
        .hasMessageContaining("it also has 10.0.0.2:1");
  }

  @Test
  void shouldRefuseOptionsThatMeanNothing() {
    Duration second = Duration.ofSeconds(1);
    assertThatThrownBy(() -> RingOptions.of(Duration.ZERO, second))
        .hasMessageContaining("connect timeout");
    assertThatThrownBy(() -> RingOptions.of(second, second.negated()))
        .hasMessageContaining("operation timeout");
    assertThatThrownBy(() -> RingOptions.of(second, second).withKey(new byte[0]))
        .hasMessageContaining("key of a ring is empty");
    assertThat(RingOptions.of(second, second).withKey(new byte[] {115, 101}).toString())
        .contains("with a key")
        .doesNotContain("115");
  }
}
