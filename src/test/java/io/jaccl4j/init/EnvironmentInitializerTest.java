package io.jaccl4j.init;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jaccl4j.Backend;
import io.jaccl4j.ConfigurationException;
import io.jaccl4j.config.mlx.MlxEnvironment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What counts as configured, and what is said of the rest. */
class EnvironmentInitializerTest {
  @TempDir Path directory;

  private static EnvironmentInitializer of(Map<String, String> environment) {
    return new EnvironmentInitializer(MlxEnvironment.of(environment));
  }

  @ParameterizedTest
  @EnumSource
  void shouldFormNothingWhereNothingIsConfigured(Backend backend) {
    assertThat(of(Map.of()).form(backend, Optional.empty())).isEmpty();
  }

  @Test
  void shouldNameEveryMissingVariableByBothNames() {
    assertThat(of(Map.of()).missing(Backend.JACCL))
        .hasMessageContainingAll(
            "JACCL_RANK or MLX_RANK",
            "JACCL_IBV_DEVICES or MLX_IBV_DEVICES",
            "JACCL_COORDINATOR or MLX_JACCL_COORDINATOR");
    assertThat(of(Map.of()).missing(Backend.RING)).hasMessageContaining("MLX_HOSTFILE");
    assertThat(of(Map.of()).missing(Backend.ANY))
        .hasMessageContainingAll("MLX_HOSTFILE", "JACCL_COORDINATOR or MLX_JACCL_COORDINATOR");
  }

  @Test
  void shouldNeverTakeHalfAConfigurationForNone() {
    Map<String, String> half = Map.of("MLX_JACCL_COORDINATOR", "10.0.0.1:32323");
    assertThatThrownBy(() -> of(half).form(Backend.ANY, Optional.empty()))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContainingAll("JACCL_RANK or MLX_RANK", "JACCL_IBV_DEVICES or MLX_IBV_DEVICES");
  }

  @Test
  void shouldHoldABackendThatIsNamedToItsWord() {
    assertThatThrownBy(
            () -> of(Map.of("JACCL4J_BACKEND", "jaccl")).form(Backend.ANY, Optional.empty()))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("JACCL is not configured");
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
        .hasMessageContainingAll("rank 1", "rank 2");
  }

  @Test
  void shouldRefuseABackendOfAnotherName() {
    assertThatThrownBy(() -> Backend.named("nccl"))
        .isInstanceOf(ConfigurationException.class)
        .hasMessage("backend is \"nccl\", want one of any, ring, jaccl");
  }
}
