package io.jaccl4j.cli.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jaccl4j.ConfigurationException;
import io.jaccl4j.config.mlx.DeviceFile;
import io.jaccl4j.config.mlx.RingHostfile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LaunchPlanTest {
  private static final String RING =
      "[{\"ssh\":\"a\",\"ips\":[\"10.0.0.1\",\"10.0.1.1\"]},"
          + "{\"ssh\":\"me\",\"ips\":[\"10.0.0.2\",\"10.0.1.2\"]}]";
  private static final String MESH =
      "{\"backend\":\"jaccl\",\"envs\":[\"A=1\",\"B=2\"],\"hosts\":["
          + "{\"ssh\":\"a\",\"ips\":[\"10.0.0.1\"],\"rdma\":[null,\"rdma_en1\"]},"
          + "{\"ssh\":\"b\",\"ips\":[\"10.0.0.2\"],\"rdma\":[\"rdma_en2\",null]}]}";

  @TempDir private Path directory;

  @Test
  void shouldCountPortsOverRanksAddressesAndConnections() throws IOException {
    LaunchPlan plan = plan(RING, request(Optional.empty(), 7000, 2, Map.of()));
    RankFile file = plan.ranks().getFirst().files().getFirst();
    assertThat(file.variable()).isEqualTo("MLX_HOSTFILE");
    assertThat(RingHostfile.parse(file.content(), "plan"))
        .isEqualTo(
            RingHostfile.parse(
                "[[\"10.0.0.1:7000\",\"10.0.0.1:7001\",\"10.0.1.1:7002\",\"10.0.1.1:7003\"],"
                    + "[\"10.0.0.2:7004\",\"10.0.0.2:7005\",\"10.0.1.2:7006\",\"10.0.1.2:7007\"]]",
                "expected"));
    assertThat(plan.ranks().get(0).environment()).isEqualTo(Map.of("MLX_RANK", "0"));
    assertThat(plan.ranks().get(1).environment()).isEqualTo(Map.of("MLX_RANK", "1"));
  }

  @Test
  void shouldReachOtherMachinesOnlyBySsh() throws IOException {
    LaunchPlan plan = plan(RING, request(Optional.empty()));
    assertThat(plan.ranks().get(0).host()).contains("a");
    assertThat(plan.ranks().get(1).host()).isEmpty();
  }

  @Test
  void shouldTellRanksOfJacclTheirDevicesAndCoordinator() throws IOException {
    LaunchPlan plan = plan(MESH, request(Optional.empty(), 7000, 1, Map.of("B", "3")));
    RankPlan last = plan.ranks().getLast();
    assertThat(last.environment())
        .isEqualTo(
            Map.of("MLX_RANK", "1", "MLX_JACCL_COORDINATOR", "10.0.0.1:7000", "A", "1", "B", "3"));
    assertThat(last.files()).hasSize(1);
    assertThat(last.files().getFirst().variable()).isEqualTo("MLX_IBV_DEVICES");
    assertThat(DeviceFile.parse(last.files().getFirst().content(), "plan"))
        .isEqualTo(DeviceFile.parse("[[null,\"rdma_en1\"],[\"rdma_en2\",null]]", "expected"));
  }

  @Test
  void shouldAskForARingOfJaccl() throws IOException {
    LaunchPlan plan = plan(MESH, request(Optional.of(LaunchBackend.JACCL_RING)));
    assertThat(plan.ranks().getFirst().environment())
        .containsEntry("MLX_JACCL_RING", "1")
        .containsEntry("MLX_JACCL_COORDINATOR", "10.0.0.1:32323");
  }

  @Test
  void shouldTellOfEverythingThereIsForAnyBackend() throws IOException {
    LaunchRequest any = request(Optional.of(LaunchBackend.ANY));
    assertThat(variables(plan(MESH, any))).containsExactly("MLX_HOSTFILE", "MLX_IBV_DEVICES");
    assertThat(plan(MESH, any).ranks().getFirst().environment())
        .containsKey("MLX_JACCL_COORDINATOR")
        .doesNotContainKey("MLX_JACCL_RING");
    assertThat(variables(plan(RING, any))).containsExactly("MLX_HOSTFILE");
  }

  @Test
  void shouldGiveALoneRankItsNumberOnly() throws IOException {
    RankPlan here = LaunchPlan.onThisMachine(1, request(Optional.empty())).ranks().getFirst();
    assertThat(here.environment()).isEqualTo(Map.of("MLX_RANK", "0"));
    assertThat(here.files()).isEmpty();
    RankPlan there =
        plan("[{\"ssh\":\"a\",\"ips\":[]}]", request(Optional.empty())).ranks().getFirst();
    assertThat(there.files()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "[{\"ssh\":\"a\"},{\"ssh\":\"b\",\"ips\":[\"10.0.0.2\"]}] | ring | rank 0 (a) has no \"ips\"",
        "[{\"ssh\":\"a\",\"ips\":[\"10.0.0.1\"]},{\"ssh\":\"b\",\"ips\":[\"10.0.0.2\",\"10.0.0.3\"]}] | ring"
            + " | rank 1 (b) has 2 \"ips\", want 1",
        "[{\"ssh\":\"a\",\"ips\":[\"10.0.0.1\"]},{\"ssh\":\"b\",\"ips\":[\"10.0.0.2\"]}] | jaccl"
            + " | rank 0 (a) has no \"rdma\"",
        "[{\"ssh\":\"-oProxyCommand=x\",\"ips\":[\"10.0.0.1\"]},{\"ssh\":\"b\",\"ips\":[\"10.0.0.2\"]}] | ring"
            + " | want a name that ssh takes",
        "{\"envs\":[\"MLX_RANK=3\"],\"hosts\":[{\"ssh\":\"a\",\"ips\":[\"10.0.0.1\"]}]} | ring"
            + " | MLX_RANK of \"envs\" is set by the launcher",
        "[{\"ips\":[\"10.0.0.1\"]}] | ring | has no \"ssh\"",
        "[ | ring | hosts.json:1:2: not JSON",
      })
  void shouldNameFileAndFaultOfAHostfile(String hostfile, String backend, String complaint) {
    assertThatThrownBy(
            () -> plan(hostfile, request(Optional.of(LaunchBackend.named(backend.strip())))))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("hosts.json")
        .hasMessageContaining(complaint);
  }

  @Test
  void shouldRefuseABackendOfTheHostfileThatItCannotServe() {
    assertThatThrownBy(
            () ->
                plan(
                    "{\"backend\":\"mpi\",\"hosts\":[{\"ssh\":\"a\",\"ips\":[\"10.0.0.1\"]}]}",
                    request(Optional.empty())))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("hosts.json")
        .hasMessageContaining("backend is \"mpi\", want any, ring, jaccl, jaccl-ring");
  }

  @Test
  void shouldShowThePlanWithoutItsSecret() throws IOException {
    LaunchPlan plan =
        plan(
            MESH,
            request(Optional.empty(), 7000, 1, Map.of("JACCL4J_KEY", "open sesame", "C", "a b")));
    assertThat(PlanText.render(plan))
        .contains("rank 0 (a)", "ssh a", "rank 1 (b)", "ssh b")
        .contains("MLX_RANK=0", "MLX_RANK=1", "MLX_JACCL_COORDINATOR=10.0.0.1:7000", "'C=a b'")
        .contains("MLX_IBV_DEVICES=", "rdma_en1", "python 'it'\\''s here.py'")
        .doesNotContain("sesame");
  }

  private static List<String> variables(LaunchPlan plan) {
    return plan.ranks().getLast().files().stream().map(RankFile::variable).toList();
  }

  private LaunchPlan plan(String hostfile, LaunchRequest request) throws IOException {
    Path file = Files.writeString(directory.resolve("hosts.json"), hostfile);
    return LaunchPlan.onHosts(file, request, "me"::equals);
  }

  private static LaunchRequest request(Optional<LaunchBackend> backend) {
    return request(backend, 32323, 1, Map.of());
  }

  private static LaunchRequest request(
      Optional<LaunchBackend> backend, int port, int connections, Map<String, String> variables) {
    return new LaunchRequest(
        backend, port, connections, variables, Optional.empty(), List.of("python", "it's here.py"));
  }
}
