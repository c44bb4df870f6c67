package io.jaccl4j.config.mlx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jaccl4j.ConfigurationException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class OwnRankTest {
  private static final Map<String, String> NAMES =
      Map.of("studio", "10.0.0.2", "mini", "10.0.0.3", "alias", "127.0.1.1");

  private final OwnRank ownRank =
      new OwnRank(() -> addresses("10.0.0.2", "fe80::2"), OwnRankTest::lookUp);

  @Test
  void shouldFindTheRankWithAnAddressOfThisMachine() {
    assertThat(ownRank.among(List.of(List.of("10.0.0.1"), List.of("10.0.0.2")), "f")).isOne();
    assertThat(ownRank.among(List.of(List.of("9.9.9.9", "fe80::2"), List.of("mini")), "f"))
        .isZero();
    assertThat(ownRank.among(List.of(List.of("mini"), List.of("studio")), "f")).isOne();
    assertThat(ownRank.among(List.of(List.of("mini"), List.of("alias")), "f")).isOne();
  }

  @Test
  void shouldRefuseToGuessAmongRanksOfOneMachine() {
    assertThatThrownBy(
            () ->
                ownRank.among(
                    List.of(List.of("127.0.0.1"), List.of("mini"), List.of("0.0.0.0")), "h.json"))
        .isInstanceOf(ConfigurationException.class)
        .hasMessage("h.json: ranks [0, 2] are all on this machine, so give this one its rank");
  }

  @Test
  void shouldListWhatItComparedWhereNothingFits() {
    assertThatThrownBy(
            () -> ownRank.among(List.of(List.of("10.0.0.1"), List.of("nowhere")), "h.json"))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageStartingWith("h.json: no rank has an address of this machine (10.0.0.2, fe80:")
        .hasMessageEndingWith(
            "and these hosts are unknown: [nowhere]; give this one its rank, or correct the hosts"
                + " [[10.0.0.1], [nowhere]]");
  }

  /** Such as behind a name server that is gone. */
  @Test
  void shouldGoOnWithoutANameWhoseLookUpDoesNotEnd() {
    CountDownLatch never = new CountDownLatch(1);
    BoundedResolver resolver =
        new BoundedResolver(
            host -> {
              if (host.startsWith("silent")) {
                await(never);
              }
              return lookUp(host);
            },
            Duration.ofMillis(200));
    OwnRank patient = new OwnRank(() -> addresses("10.0.0.2"), resolver);
    assertThat(patient.among(List.of(List.of("silent"), List.of("studio")), "f")).isOne();
    assertThat(patient.isHere("10.0.0.2")).isTrue();
    assertThatThrownBy(
            () -> patient.among(List.of(List.of("silent"), List.of("silent too")), "h.json"))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("these hosts are unknown: [silent, silent too]");
    assertThatThrownBy(() -> resolver.resolve("silent"))
        .hasMessage("the look-up of silent does not end");
    never.countDown();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void shouldTakeAGivenRankThatIsInRange() {
    List<List<String>> hosts = PlainHostfile.loopback(BackendName.TCP, 2, 5000).hostsByRank();

    assertThat(ownRank.of(OptionalInt.of(0), hosts, "f")).isZero();
    assertThat(ownRank.of(OptionalInt.of(1), hosts, "f")).isOne();
    assertThatThrownBy(() -> ownRank.of(OptionalInt.of(2), hosts, "h.json"))
        .isInstanceOf(ConfigurationException.class)
        .hasMessage("h.json: rank is 2, want 0 to 1, one of the 2 hosts there");
    assertThatThrownBy(() -> ownRank.of(OptionalInt.of(-1), hosts, "h.json"))
        .hasMessageContaining("rank is -1, want 0 to 1");
    assertThatThrownBy(() -> ownRank.of(OptionalInt.empty(), hosts, "h.json"))
        .hasMessageContaining("ranks [0, 1] are all on this machine");
  }

  @Test
  void shouldFindTheRankInEveryKindOfHostfile() {
    RingHostfile ring = RingHostfile.parse("[[\"mini:1\"],[\"studio:1\"]]", "f");
    LaunchHostfile launch =
        LaunchHostfile.parse(
            "[{\"ssh\":\"studio\",\"ips\":[]},{\"ssh\":\"x\",\"ips\":[\"10.0.0.3\"]}]", "f");

    assertThat(ownRank.of(OptionalInt.empty(), ring.hostsByRank(), "f")).isOne();
    assertThat(launch.hostsByRank()).containsExactly(List.of("studio"), List.of("10.0.0.3", "x"));
  }

  @Test
  void shouldKnowThisMachinesLoopback() {
    assertThat(
            OwnRank.ofThisMachine().among(List.of(List.of("192.0.2.1"), List.of("127.0.0.1")), "f"))
        .isOne();
  }

  private static List<InetAddress> lookUp(String host) throws UnknownHostException {
    if (host.equals("nowhere")) {
      throw new UnknownHostException(host);
    }
    return List.of(InetAddress.ofLiteral(NAMES.getOrDefault(host, host)));
  }

  private static Set<InetAddress> addresses(String... literals) {
    return Set.copyOf(Arrays.stream(literals).map(InetAddress::ofLiteral).toList());
  }
}
