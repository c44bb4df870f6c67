package io.jaccl4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.jaccl4j.fabric.verbs.EmulatedVerbs;
import io.jaccl4j.fabric.verbs.EmulatedVerbs.GidKind;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What people and programs are told of the devices. */
class DevicesCommandTest {
  private EmulatedVerbs emulated;
  private final StringWriter out = new StringWriter();

  @BeforeEach
  void load() {
    emulated = EmulatedVerbs.fresh();
  }

  private int run(String... options) {
    String[] arguments = new String[options.length + 3];
    arguments[0] = "devices";
    arguments[1] = "--library";
    arguments[2] = emulated.library().toString();
    System.arraycopy(options, 0, arguments, 3, options.length);
    return Main.commandLine().setOut(new PrintWriter(out)).execute(arguments);
  }

  @Test
  void shouldShowPortsAddressesAndLimits() {
    emulated
        .setDevice(1, "port_state", 1)
        .setGids(0, List.of(GidKind.LINK_LOCAL, GidKind.EMPTY, GidKind.IPV4))
        .set("max_qp", 10);
    assertThat(run()).isEqualTo(ExitCode.OK);
    assertThat(out.toString().lines().map(line -> line.strip().replaceAll(" +", " ")))
        .contains(
            "emu0 0000:e311:0000:0000 ACTIVE Ethernet 1024 4096 0",
            "emu1 0000:e311:0000:0001 DOWN Ethernet 1024 4096 0",
            "emu0 0 fe80:0:0:0:100:0:0:1",
            "emu0 2 10.77.2.1 yes",
            "emu0 10 4096 4096 100 1099511627776");
    emulated.checkQuiet();
  }

  @Test
  void shouldTellProgramsTheSame() throws Exception {
    assertThat(run("--json")).isEqualTo(ExitCode.OK);
    JsonNode device = new ObjectMapper().readTree(out.toString()).path("devices").path(1);
    assertThat(device.path("name").asText()).isEqualTo("emu1");
    assertThat(device.path("port").path("chosenGid").asInt()).isEqualTo(1);
    assertThat(device.path("port").path("gids").path(1).path("address").asText())
        .isEqualTo("10.77.1.2");
    assertThat(device.path("limits").path("queuePairs").asInt()).isEqualTo(100);
    assertThat(device.path("problem").isNull()).isTrue();
  }

  @Test
  void shouldSayWhatToDoWhereThereIsNone() {
    emulated.set("devices", 0);
    assertThat(run()).isEqualTo(ExitCode.FAILED);
    assertThat(out.toString()).contains("there is no RDMA device", "rdma link add");
  }

  @Test
  void shouldShowTheOthersWhereOneCannotBeAsked() {
    emulated.fail("ibv_query_port", 1, 5);
    assertThat(run()).isEqualTo(ExitCode.OK);
    assertThat(out.toString())
        .contains("device emu0: ibv_query_port failed with errno 5 (EIO)", "emu1");
  }
}
