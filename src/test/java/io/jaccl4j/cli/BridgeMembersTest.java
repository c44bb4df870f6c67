package io.jaccl4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BridgeMembersTest {
  @TempDir Path directory;

  @Test
  void shouldReadWhatIfconfigPrintsOnMacOs() {
    BridgeMembers members =
        BridgeMembers.parseIfconfig(
            """
            lo0: flags=8049<UP,LOOPBACK,RUNNING,MULTICAST> mtu 16384
            \tinet 127.0.0.1 netmask 0xff000000
            en5: flags=8963<UP,BROADCAST,SMART,RUNNING,PROMISC,SIMPLEX,MULTICAST> mtu 1500
            \tether 36:1c:5b:d0:00:04
            bridge0: flags=8863<UP,BROADCAST,SMART,RUNNING,SIMPLEX,MULTICAST> mtu 1500
            \tConfiguration:
            \t\tid 0:0:0:0:0:0 priority 0 hellotime 0 fwddelay 0
            \tmember: en4 flags=3<LEARNING,DISCOVER>
            \t        ifmaxaddr 0 port 12 priority 0 path cost 0
            \tmember: en5 flags=3<LEARNING,DISCOVER>
            utun0: flags=8051<UP,POINTOPOINT,RUNNING,MULTICAST> mtu 1380
            """);

    assertThat(members.bridgeOf()).isEqualTo(Map.of("en4", "bridge0", "en5", "bridge0"));
    assertThat(members.finding("rdma_en5"))
        .contains(
            "device rdma_en5: interface en5 is a member of bridge0; take it out, so that it has an"
                + " address of its own");
    assertThat(members.finding("rdma_en6")).isEmpty();
  }

  @Test
  void shouldReadWhatLinuxKnowsOfItsInterfaces() throws IOException {
    Path interfaces = Files.createDirectories(directory.resolve("net"));
    Path bridge = Files.createDirectories(interfaces.resolve("br0"));
    Files.createDirectories(interfaces.resolve("eth1"));
    Path port = Files.createDirectories(interfaces.resolve("eth0").resolve("brport"));
    Files.createSymbolicLink(port.resolve("bridge"), bridge);

    assertThat(BridgeMembers.ofLinux(interfaces).bridgeOf()).isEqualTo(Map.of("eth0", "br0"));
    assertThat(BridgeMembers.ofLinux(directory.resolve("none")).bridgeOf()).isEmpty();
  }
}
