package io.jaccl4j.init;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jaccl4j.Backend;
import io.jaccl4j.ConfigurationException;
import io.jaccl4j.config.mlx.MlxEnvironment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What counts as configured, and what is said of the rest. */
class EnvironmentInitializerTest {
  @TempDir Path directory;

  private static EnvironmentInitializer of(Map<String, String> environment) {
    return new EnvironmentInitializer(MlxEnvironment.of(environment));
  }

  @ParameterizedTest
  @EnumSource
  void shouldChooseNothingWhereNothingIsConfigured(Backend backend) {
    assertThat(of(Map.of()).configured(backend, false)).isEmpty();
    assertThat(of(Map.of("MLX_RANK", "0")).configured(backend, false))
        .as("rank 0 may be alone")
        .isEmpty();
    assertThat(of(Map.of("JACCL_RING", "1", "MLX_RING_VERBOSE", "1")).configured(backend, false))
        .as("a preference speaks of nobody")
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "MLX_HOSTFILE, hosts.json, RING",
    "MLX_IBV_DEVICES, devices.json, JACCL",
    "JACCL_IBV_DEVICES, devices.json, JACCL",
    "JACCL_COORDINATOR, 10.0.0.1:5000, JACCL",
    "MLX_IBV_COORDINATOR, 10.0.0.1:5000, JACCL",
    "JACCL4J_BACKEND, ring, RING",
    "JACCL4J_BACKEND, tcp, RING",
    "JACCL4J_BACKEND, tb, JACCL",
    "JACCL4J_BACKEND, thunderbolt, JACCL",
    "JACCL4J_BACKEND, mlx, JACCL",
    "JACCL4J_BACKEND, jaccl, JACCL",
    "JACCL4J_BACKEND, mlx-jaccl, JACCL"
  })
  void shouldChooseWhatIsConfigured(String variable, String value, Backend backend) {
    assertThat(of(Map.of(variable, value)).configured(Backend.ANY, false)).contains(backend);
  }

  @Test
  void shouldTakeTheRingFirstWhereBothAreConfiguredAndSayHowToTakeTheOther() {
    Map<String, String> both =
        new HashMap<>(Map.of("MLX_HOSTFILE", "h.json", "MLX_IBV_DEVICES", "d.json"));
    assertThat(of(both).configured(Backend.ANY, false)).contains(Backend.RING);
    assertThat(of(both).preference()).get().asString().contains("JACCL4J_BACKEND=jaccl");
    assertThat(of(both).configured(Backend.JACCL, false)).contains(Backend.JACCL);
    both.put("JACCL4J_BACKEND", "mlx");
    assertThat(of(both).configured(Backend.ANY, false)).contains(Backend.JACCL);
    assertThat(of(both).configured(Backend.RING, false))
        .as("who asks for one by name gets that")
        .contains(Backend.RING);
    assertThat(of(both).preference()).isEmpty();
  }

  @Test
  void shouldTakeARankForConfiguredWhereTheMetadataGoAnotherWay() {
    EnvironmentInitializer ranked = of(Map.of("JACCL_RANK", "0"));
    assertThat(ranked.configured(Backend.ANY, true)).contains(Backend.JACCL);
    assertThatThrownBy(() -> ranked.form(Backend.JACCL, Optional.of((rank, size) -> null)))
        .isInstanceOf(ConfigurationException.class)
        .hasMessage(
            "JACCL is not configured: missing device file (JACCL_IBV_DEVICES or MLX_IBV_DEVICES)");
  }

  @Test
  void shouldNotBeAloneAsAHigherRank() {
    EnvironmentInitializer third = of(Map.of("MLX_RANK", "2"));
    assertThatThrownBy(() -> third.configured(Backend.ANY, false))
        .isInstanceOf(ConfigurationException.class)
        .hasMessage(
            "rank is 2, so that there are others, but the TCP ring is not configured: missing"
                + " hostfile (MLX_HOSTFILE); JACCL is not configured: missing device file"
                + " (JACCL_IBV_DEVICES or MLX_IBV_DEVICES), coordinator (JACCL_COORDINATOR or"
                + " MLX_JACCL_COORDINATOR)");
    assertThat(third.configured(Backend.RING, false)).contains(Backend.RING);
    assertThatThrownBy(() -> third.form(Backend.RING, Optional.empty()))
        .hasMessage("the TCP ring is not configured: missing hostfile (MLX_HOSTFILE)");
  }

  @Test
  void shouldNotBeAloneWhereAnotherBackendThanTheOneAskedForIsConfigured() {
    EnvironmentInitializer ring = of(Map.of("MLX_HOSTFILE", "hosts.json", "MLX_RANK", "0"));
    assertThat(ring.configured(Backend.JACCL, false)).contains(Backend.JACCL);
    assertThatThrownBy(() -> ring.form(Backend.JACCL, Optional.empty()))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageStartingWith("JACCL is not configured: missing device file");
  }

  @Test
  void shouldSayOfARetiredNameWhatItIsCalledNow() {
    EnvironmentInitializer retired = of(Map.of("MLX_IBV_COORDINATOR", "127.0.0.1:5000"));
    assertThatThrownBy(() -> retired.form(Backend.JACCL, Optional.empty()))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("MLX_IBV_COORDINATOR is set, but ignored: it was renamed to")
        .hasMessageContaining("renamed to MLX_JACCL_COORDINATOR");
  }

  @Test
  void shouldNameEveryMissingVariableByBothNames() {
    assertThat(of(Map.of()).missing(Backend.JACCL, false))
        .hasMessage(
            "JACCL is not configured: missing rank (JACCL_RANK or MLX_RANK), device file"
                + " (JACCL_IBV_DEVICES or MLX_IBV_DEVICES), coordinator (JACCL_COORDINATOR or"
                + " MLX_JACCL_COORDINATOR)");
    assertThat(of(Map.of()).missing(Backend.JACCL, true))
        .hasMessage(
            "JACCL is not configured: missing rank (JACCL_RANK or MLX_RANK), device file"
                + " (JACCL_IBV_DEVICES or MLX_IBV_DEVICES)");
    assertThat(of(Map.of()).missing(Backend.RING, false))
        .hasMessage("the TCP ring is not configured: missing hostfile (MLX_HOSTFILE)");
    assertThat(of(Map.of()).missing(Backend.ANY, false))
        .hasMessageContainingAll("MLX_HOSTFILE", "JACCL_COORDINATOR or MLX_JACCL_COORDINATOR");
  }

  @Test
  void shouldNeverTakeHalfAConfigurationForNone() {
    EnvironmentInitializer half = of(Map.of("MLX_JACCL_COORDINATOR", "10.0.0.1:32323"));
    assertThatThrownBy(() -> half.form(Backend.JACCL, Optional.empty()))
        .isInstanceOf(ConfigurationException.class)
        .hasMessage(
            "JACCL is not configured: missing rank (JACCL_RANK or MLX_RANK), device file"
                + " (JACCL_IBV_DEVICES or MLX_IBV_DEVICES)");
  }

  @Test
  void shouldTellWhatIsAvailableWhateverIsConfigured() {
    EnvironmentInitializer wrong =
        of(Map.of("JACCL4J_TIMEOUT", "soon", "MLX_RANK", "first", "JACCL4J_BACKEND", "nccl"));
    assertThat(wrong.unavailableBecause(Backend.RING)).isEmpty();
    assertThat(wrong.unavailableBecause(Backend.ANY)).isEmpty();
    assertThat(wrong.unavailableBecause(Backend.JACCL))
        .isEqualTo(of(Map.of()).unavailableBecause(Backend.JACCL));
  }

  @Test
  void shouldNameTheRanksThatAreNotLinked() throws IOException {
    Path matrix =
        Files.writeString(
            directory.resolve("devices.json"),
            "[[null, \"a\", \"b\"], [\"a\", null, null], [\"b\", null, null]]");
    Map<String, String> environment =
        Map.of(
            "MLX_RANK", "1",
            "MLX_IBV_DEVICES", matrix.toString(),
            "MLX_JACCL_COORDINATOR", "127.0.0.1:1");
    assertThatThrownBy(() -> of(environment).form(Backend.JACCL, Optional.empty()))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("no cable between rank 1 and rank 2");
  }
}
