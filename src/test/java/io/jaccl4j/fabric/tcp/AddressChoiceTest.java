package io.jaccl4j.fabric.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jaccl4j.GroupMember;
import io.jaccl4j.GroupSettings;
import io.jaccl4j.fabric.FabricException;
import io.jaccl4j.fabric.FabricRequest;
import io.jaccl4j.fabric.NativeCalls;
import io.jaccl4j.fabric.Wire;
import io.jaccl4j.testing.TestSettings;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressChoiceTest {
  private static final List<HostAddress> PRESENT =
      List.of(
          new HostAddress("lo", address("127.0.0.1")),
          new HostAddress("lo", address("127.0.1.1")),
          new HostAddress("eth0", address("10.1.0.5")),
          new HostAddress("eth0", address("fe80::1")),
          new HostAddress("eth1", address("fd00::5")),
          new HostAddress("docker0", address("172.17.0.1")));

  private static final NameLookup NAMES =
      host ->
          switch (host) {
            case "me" -> List.of(address("127.0.1.1"));
            case "me.example" -> List.of(address("10.1.0.5"));
            case "other" -> List.of(address("10.1.0.6"));
            default -> literal(host);
          };

  private static InetAddress address(String literal) {
    try {
      return InetAddress.getByName(literal);
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }

  private static List<InetAddress> literal(String host) {
    return host.matches("[0-9a-f.:]+") && !host.matches("[a-f]+")
        ? List.of(address(host))
        : List.of();
  }

  private static FabricRequest request(String bindTo, GroupMember... members) {
    return request(bindTo, List.of(), members);
  }

  private static FabricRequest request(
      String bindTo, List<String> exclude, GroupMember... members) {
    GroupSettings settings =
        TestSettings.of("addresses", members.length)
            .withTcp(new GroupSettings.Tcp(bindTo, exclude, 0, 1, 0, 0));
    return new FabricRequest(
        settings,
        1,
        0,
        Arrays.asList(members),
        List.of(new Wire(0, 0, 1)),
        2,
        1_000_000_000L,
        new NativeCalls());
  }

  private static GroupMember member(int rank, String address, String host) {
    return new GroupMember(rank, address, 1, host);
  }

  private static List<String> own(String bindTo, GroupMember... members) {
    return AddressChoice.of(request(bindTo, members), PRESENT, NAMES).own().stream()
        .map(InetAddress::getHostAddress)
        .toList();
  }

  @Test
  void shouldTellTheAddressByWhichTheClusterKnowsTheMember() {
    assertThat(
            own(
                "auto",
                member(0, "pekko://sys@172.17.0.1:25520", "me"),
                member(1, "pekko://sys@10.1.0.6:25520", "other")))
        .containsExactly("172.17.0.1");
    assertThat(
            own(
                "auto",
                member(0, "pekko://sys@[fd00::5]:25520", "me"),
                member(1, "pekko://sys@10.1.0.6:25520", "other")))
        .containsExactly("fd00:0:0:0:0:0:0:5");
    assertThat(
            own(
                "auto",
                member(0, "test://nowhere:1", "me.example"),
                member(1, "test://nowhere:2", "other")))
        .containsExactly("10.1.0.5");
  }

  @Test
  void shouldNeverTellLoopbackToAnotherHost() {
    assertThat(
            own(
                "auto",
                member(0, "pekko://sys@127.0.0.1:25520", "me"),
                member(1, "pekko://sys@127.0.0.1:25521", "other")))
        .containsExactly("10.1.0.5", "fd00:0:0:0:0:0:0:5", "172.17.0.1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "docker* | 10.1.0.5 fd00:0:0:0:0:0:0:5",
        "docker0 | 10.1.0.5 fd00:0:0:0:0:0:0:5",
        "*1 | 10.1.0.5 172.17.0.1",
        "172.16.0.0/12 | 10.1.0.5 fd00:0:0:0:0:0:0:5",
        "172.17.0.1/32 | 10.1.0.5 fd00:0:0:0:0:0:0:5",
        "172.17.0.0/32 | 10.1.0.5 fd00:0:0:0:0:0:0:5 172.17.0.1",
        "fd00::/8 | 10.1.0.5 172.17.0.1",
        "0.0.0.0/0 | fd00:0:0:0:0:0:0:5",
        "docker | 10.1.0.5 fd00:0:0:0:0:0:0:5 172.17.0.1",
      })
  void shouldNeverTakeWhatIsExcluded(String pattern, String want) {
    FabricRequest request =
        request("auto", List.of(pattern), member(0, "a", "unknown"), member(1, "b", "other"));
    assertThat(AddressChoice.of(request, PRESENT, NAMES).own())
        .extracting(InetAddress::getHostAddress)
        .containsExactly(want.split(" "));
  }

  @Test
  void shouldTakeAnExcludedAddressThatIsAskedForByName() {
    FabricRequest request =
        request("docker0", List.of("docker*"), member(0, "a", "me"), member(1, "b", "other"));
    assertThat(AddressChoice.of(request, PRESENT, NAMES).own())
        .containsExactly(address("172.17.0.1"));
  }

  @Test
  void shouldSayWhatIsExcludedWhenNothingIsLeft() {
    FabricRequest request =
        request("auto", List.of("eth*", "docker*"), member(0, "a", "me"), member(1, "b", "other"));
    assertThatThrownBy(() -> AddressChoice.of(request, PRESENT, NAMES))
        .isInstanceOf(FabricException.class)
        .hasMessageContaining("without [eth*, docker*]")
        .hasMessageContaining("jaccl4j.tcp.exclude");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "10.0.0.0/", "10.0.0.0/33", "/8", "eth0/8", "10.0.0.0/x", "fd00::/129"})
  void shouldRefuseAPatternThatIsNeitherNameNorBlock(String pattern) {
    FabricRequest request =
        request("auto", List.of(pattern), member(0, "a", "me"), member(1, "b", "other"));
    assertThatThrownBy(() -> AddressChoice.of(request, PRESENT, NAMES))
        .isInstanceOf(FabricException.class)
        .hasMessageContaining("jaccl4j.tcp.exclude has \"" + pattern + "\"");
  }

  @Test
  void shouldOfferLoopbackWhereAllRanksAreOnOneHost() {
    assertThat(own("auto", member(0, "test://host:1", "host"), member(1, "test://host:2", "host")))
        .startsWith("127.0.0.1", "127.0.1.1")
        .contains("10.1.0.5");
    assertThat(
            own(
                "auto",
                member(0, "pekko://sys@10.1.0.5:25520", "host"),
                member(1, "pekko://sys@10.1.0.5:25521", "host")))
        .containsExactly("10.1.0.5", "127.0.0.1", "127.0.1.1");
  }

  @Test
  void shouldTakeTheInterfaceOrAddressThatIsSet() {
    GroupMember me = member(0, "pekko://sys@10.1.0.5:25520", "me");
    GroupMember other = member(1, "pekko://sys@10.1.0.6:25520", "other");
    assertThat(own("eth0", me, other)).containsExactly("10.1.0.5");
    assertThat(own("172.17.0.1", me, other)).containsExactly("172.17.0.1");
    assertThat(own("me.example", me, other)).containsExactly("10.1.0.5");
    AddressChoice choice = AddressChoice.of(request("eth0", me, other), PRESENT, NAMES);
    assertThat(choice.sourceFor(address("10.1.0.6"))).hasValue(address("10.1.0.5"));
    assertThat(choice.sourceFor(address("fd00::6"))).isEmpty();
    assertThat(
            AddressChoice.of(request("auto", me, other), PRESENT, NAMES)
                .sourceFor(address("10.1.0.6")))
        .isEmpty();
  }

  @Test
  void shouldRefuseASettingThatLeadsNobodyHere() {
    GroupMember me = member(0, "pekko://sys@10.1.0.5:25520", "me");
    GroupMember other = member(1, "pekko://sys@10.1.0.6:25520", "other");
    for (String wrong : List.of("eth9", "10.1.0.6", "other", "nowhere")) {
      assertThatThrownBy(() -> own(wrong, me, other))
          .isInstanceOf(FabricException.class)
          .hasMessageContaining("jaccl4j.tcp.interface is \"" + wrong + "\"")
          .hasMessageContaining("eth0 10.1.0.5");
    }
    for (String loopback : List.of("lo", "127.0.1.1", "me")) {
      assertThatThrownBy(() -> own(loopback, me, other))
          .isInstanceOf(FabricException.class)
          .hasMessageContaining("which is loopback, but ranks are on several hosts")
          .hasMessageContaining("eth0 10.1.0.5");
    }
  }

  @Test
  void shouldRefuseAMachineWithoutAnAddressForOthers() {
    assertThatThrownBy(
            () ->
                AddressChoice.of(
                    request("auto", member(0, "a", "me"), member(1, "b", "other")),
                    List.of(new HostAddress("lo", address("127.0.0.1"))),
                    NAMES))
        .isInstanceOf(FabricException.class)
        .hasMessageContaining("no address that the other ranks could reach")
        .hasMessageContaining("lo 127.0.0.1");
  }

  @Test
  void shouldNotReachAPeerOfAnotherHostByAnAddressThatIsAlsoItsOwn() {
    AddressChoice choice =
        AddressChoice.of(
            request(
                "auto",
                member(0, "pekko://sys@10.1.0.5:25520", "me"),
                member(1, "pekko://sys@10.1.0.6:25520", "other")),
            PRESENT,
            NAMES);
    InetSocketAddress bridge = new InetSocketAddress(address("172.17.0.1"), 4000);
    InetSocketAddress real = new InetSocketAddress(address("10.1.0.6"), 4000);
    assertThat(choice.candidates(1, List.of(bridge, real))).containsExactly(real);
    assertThatThrownBy(() -> choice.candidates(1, List.of(bridge)))
        .isInstanceOfSatisfying(FabricException.class, e -> assertThat(e.peer()).isOne())
        .hasMessageContaining("rank 1 (pekko://sys@10.1.0.6:25520) on host other")
        .hasMessageContaining("172.17.0.1:4000, which this machine has itself");
  }

  @Test
  void shouldReachAPeerOfThisHostByItsOwnAddress() {
    AddressChoice choice =
        AddressChoice.of(
            request("auto", member(0, "a", "host"), member(1, "b", "host")), PRESENT, NAMES);
    InetSocketAddress here = new InetSocketAddress(address("127.0.0.1"), 4000);
    assertThat(choice.candidates(1, List.of(here))).containsExactly(here);
  }

  @Test
  void shouldReadTheDestinationThatItWrites() {
    byte[] token = new byte[TcpDestination.TOKEN_BYTES];
    token[3] = 77;
    List<InetSocketAddress> endpoints =
        List.of(
            new InetSocketAddress(address("10.1.0.5"), 65535),
            new InetSocketAddress(address("fd00::5"), 1));
    byte[] bytes = new TcpDestination(token, endpoints).encode();
    TcpDestination read = TcpDestination.decode(3, bytes);
    assertThat(read.token()).isEqualTo(token);
    assertThat(read.endpoints()).isEqualTo(endpoints);
    for (int length = 0; length < bytes.length; length++) {
      byte[] part = Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> TcpDestination.decode(3, part))
          .isInstanceOf(FabricException.class)
          .hasMessageContaining("destination of rank 3 is damaged");
    }
    bytes[0] = 9;
    assertThatThrownBy(() -> TcpDestination.decode(3, bytes))
        .hasMessageContaining("has version 9, want 1");
  }

  @Test
  void shouldNeverExplainAnErrorWithNothing() {
    Map<Exception, String> symbols =
        Map.of(
            new java.net.ConnectException("Connection refused"),
                "Connection refused (ECONNREFUSED)",
            new java.net.SocketException("Connection reset"), "Connection reset (ECONNRESET)",
            new java.io.IOException("Broken pipe"), "Broken pipe (EPIPE)",
            new java.net.NoRouteToHostException("No route to host"),
                "No route to host (EHOSTUNREACH)",
            new java.net.BindException("Address already in use"),
                "Address already in use (EADDRINUSE)",
            new java.io.IOException("Something new"), "Something new");
    symbols.forEach((e, want) -> assertThat(SocketFailure.describe(e)).isEqualTo(want));
    assertThat(SocketFailure.describe(new java.io.IOException())).isEqualTo("java.io.IOException");
    assertThat(SocketFailure.describe(new java.nio.channels.ClosedChannelException()))
        .contains("ClosedChannelException");
    assertThat(SocketFailure.isLasting(new java.net.SocketException("Permission denied"))).isTrue();
    assertThat(SocketFailure.isLasting(new java.net.NoRouteToHostException("No route to host")))
        .isFalse();
  }
}
