package io.jaccl4j.config.mlx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jaccl4j.ConfigurationException;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MlxEnvironmentTest {
  private static final String SECRET = "correct horse battery";

  private static final OwnRank NOBODY =
      new OwnRank(
          () -> Set.of(InetAddress.ofLiteral("10.0.0.2")),
          host -> List.of(InetAddress.ofLiteral(host)));

  @TempDir Path directory;
  private Path devices;
  private Path hostfile;

  @BeforeEach
  void writeFiles() throws IOException {
    devices =
        Files.writeString(
            directory.resolve("devices.json"), "[[null,\"rdma_en5\"],[\"rdma_en4\",null]]");
    hostfile =
        Files.writeString(
            directory.resolve("hosts.json"), "[[\"10.0.0.1:5000\"],[\"10.0.0.2:5000\"]]");
  }

  @ParameterizedTest
  @CsvSource({
    "JACCL_RANK, JACCL_IBV_DEVICES, JACCL_COORDINATOR",
    "MLX_RANK, MLX_IBV_DEVICES, MLX_JACCL_COORDINATOR",
    "JACCL_RANK, MLX_IBV_DEVICES, JACCL_COORDINATOR"
  })
  void shouldReadJacclUnderBothNames(String rank, String file, String coordinator) {
    JacclConfiguration jaccl =
        environment(rank, "1", file, devices.toString(), coordinator, "[::1]:5000")
            .requireJaccl(true);

    assertThat(jaccl.rank()).isOne();
    assertThat(jaccl.devices()).isEqualTo(DeviceFile.read(devices));
    assertThat(jaccl.coordinator()).contains(new HostPort("::1", 5000));
    assertThat(jaccl.preferRing()).isFalse();
  }

  @Test
  void shouldTakeJacclBeforeMlxAndSaySo() {
    MlxEnvironment environment = environment("JACCL_RANK", "1", "MLX_RANK", "0");

    assertThat(environment.rank()).hasValue(1);
    assertThat(environment.effective())
        .contains(new EffectiveValue("rank", "1", "JACCL_RANK, before MLX_RANK=0"));
  }

  /** All subsets of rank, devices, coordinator and ring. */
  @Test
  void shouldListExactlyWhatIsMissing() {
    for (int subset = 0; subset < 16; subset++) {
      Map<String, String> variables = new HashMap<>();
      List<String> missing = new ArrayList<>();
      put(subset, 0, variables, "MLX_RANK", "0", missing, "rank (JACCL_RANK or MLX_RANK)");
      put(
          subset,
          1,
          variables,
          "MLX_IBV_DEVICES",
          devices.toString(),
          missing,
          "device file (JACCL_IBV_DEVICES or MLX_IBV_DEVICES)");
      put(
          subset,
          2,
          variables,
          "MLX_JACCL_COORDINATOR",
          "127.0.0.1:5000",
          missing,
          "coordinator (JACCL_COORDINATOR or MLX_JACCL_COORDINATOR)");
      if ((subset & 8) != 0) {
        variables.put("MLX_JACCL_RING", "");
      }
      MlxEnvironment environment = MlxEnvironment.of(variables);

      assertThat(environment.preferRing()).isEqualTo((subset & 8) != 0);
      if (missing.isEmpty()) {
        assertThat(environment.jaccl(true)).contains(environment.requireJaccl(true));
      } else {
        assertThat(environment.jaccl(true)).as("%s", variables.keySet()).isEmpty();
        assertThatThrownBy(() -> environment.requireJaccl(true))
            .isInstanceOf(ConfigurationException.class)
            .hasMessage("JACCL is not configured: missing " + String.join(", ", missing));
      }
    }
  }

  private static void put(
      int subset,
      int bit,
      Map<String, String> variables,
      String name,
      String value,
      List<String> missing,
      String description) {
    if ((subset & 1 << bit) == 0) {
      missing.add(description);
    } else {
      variables.put(name, value);
    }
  }

  @Test
  void shouldDoWithoutCoordinatorWhereMetadataGoesAnotherWay() {
    MlxEnvironment environment =
        environment("MLX_RANK", "0", "MLX_IBV_DEVICES", devices.toString());

    assertThat(environment.jaccl(true)).isEmpty();
    assertThat(environment.requireJaccl(false).coordinator()).isEmpty();
  }

  @Test
  void shouldSayWhatRetiredNamesAreCalledNow() {
    MlxEnvironment environment =
        environment(
            "MLX_RANK",
            "0",
            "MLX_IBV_DEVICES",
            devices.toString(),
            "MLX_IBV_COORDINATOR",
            "127.0.0.1:5000");

    assertThat(environment.jaccl(true)).isEmpty();
    assertThatThrownBy(() -> environment.requireJaccl(true))
        .hasMessage(
            "JACCL is not configured: missing coordinator (JACCL_COORDINATOR or"
                + " MLX_JACCL_COORDINATOR); MLX_IBV_COORDINATOR is set, but ignored: it was"
                + " renamed to MLX_JACCL_COORDINATOR");
    assertThat(environment.warnings()).hasSize(1);
    assertThat(environment.effective())
        .contains(
            new EffectiveValue(
                "MLX_IBV_COORDINATOR",
                "127.0.0.1:5000",
                "ignored: renamed to MLX_JACCL_COORDINATOR"));
    assertThat(environment("MLX_JACCL_DEVICES", "x").warnings())
        .containsExactly(
            "MLX_JACCL_DEVICES is set, but ignored: it was renamed to MLX_IBV_DEVICES");
    assertThat(environment("MLX_RANK", "0").warnings()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " 1", "-1", "+1", "1a", "one", "1.0", "99999999999"})
  void shouldRefuseRankThatIsNoWholeNumber(String text) {
    assertThatThrownBy(() -> environment("MLX_RANK", text).rank())
        .isInstanceOf(ConfigurationException.class)
        .hasMessage("MLX_RANK is \"" + text + "\", want a rank: a whole number from 0");
  }

  @Test
  void shouldLetAnEmptyVariableHideTheNextName() {
    MlxEnvironment environment =
        environment("JACCL_IBV_DEVICES", "", "MLX_IBV_DEVICES", devices.toString());

    assertThatThrownBy(environment::deviceFile)
        .isInstanceOf(ConfigurationException.class)
        .hasMessage("JACCL_IBV_DEVICES is \"\", want the path of a file");
  }

  @ParameterizedTest
  @ValueSource(strings = {"::1", "host", "host:", ":5000", "host:99999", "host:12ab", ""})
  void shouldQuoteWrongCoordinatorAndItsVariable(String text) {
    assertThatThrownBy(() -> environment("JACCL_COORDINATOR", text).coordinator())
        .isInstanceOf(ConfigurationException.class)
        .hasMessageStartingWith("JACCL_COORDINATOR: address \"" + text + "\": ");
  }

  @Test
  void shouldRefuseRankBeyondTheDevices() {
    assertThatThrownBy(
            () ->
                environment("JACCL_RANK", "2", "MLX_IBV_DEVICES", devices.toString()).jaccl(false))
        .isInstanceOf(ConfigurationException.class)
        .hasMessage(
            "rank is 2, want 0 to 1, the rows of the device matrix (MLX_IBV_DEVICES=%s,"
                    .formatted(devices)
                + " JACCL_RANK=2)");
  }

  @Test
  void shouldThrowForWrongDevicesEvenIfNotStrict() throws IOException {
    Files.writeString(devices, "[[null]");

    assertThatThrownBy(
            () -> environment("MLX_RANK", "0", "MLX_IBV_DEVICES", devices.toString()).jaccl(false))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining(devices + ":1:8: not JSON")
        .hasMessageContaining("MLX_IBV_DEVICES=");
  }

  @Test
  void shouldReadTheRing() {
    RingConfiguration ring =
        environment("MLX_RANK", "0", "MLX_HOSTFILE", hostfile.toString(), "MLX_RING_VERBOSE", "")
            .requireRing(NOBODY);

    assertThat(ring).isEqualTo(new RingConfiguration(0, RingHostfile.read(hostfile), true));
  }

  @Test
  void shouldFindTheRankInTheRingWhereNoneIsGiven() {
    RingConfiguration ring = environment("MLX_HOSTFILE", hostfile.toString()).requireRing(NOBODY);

    assertThat(ring.rank()).isOne();
    assertThat(ring.verbose()).isFalse();
  }

  @Test
  void shouldSayWhyThereIsNoRing() {
    assertThat(environment("MLX_RANK", "0").ring(NOBODY)).isEmpty();
    assertThatThrownBy(() -> environment("MLX_RANK", "0").requireRing(NOBODY))
        .hasMessage("the TCP ring is not configured: missing hostfile (MLX_HOSTFILE)");
    assertThatThrownBy(
            () -> environment("MLX_RANK", "2", "MLX_HOSTFILE", hostfile.toString()).ring(NOBODY))
        .hasMessage(
            "%1$s: rank is 2, want 0 to 1, one of the 2 hosts there (MLX_HOSTFILE=%1$s, MLX_RANK=2)"
                .formatted(hostfile));
    OwnRank stranger = new OwnRank(Set::of, host -> List.of(InetAddress.ofLiteral(host)));
    assertThatThrownBy(() -> environment("MLX_HOSTFILE", hostfile.toString()).ring(stranger))
        .hasMessageContaining("no rank has an address of this machine")
        .hasMessageContaining("MLX_RANK not set");
  }

  @ParameterizedTest
  @CsvSource({"30, 30000", "2.5, 2500", "0.001, 1", "007, 7000"})
  void shouldReadTimeoutInSeconds(String text, long millis) {
    assertThat(environment("JACCL4J_TIMEOUT", text).timeout()).contains(Duration.ofMillis(millis));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0", "0.0", "-1", "1s", "1e3", ".5", "NaN", "99999999999"})
  void shouldRefuseTimeoutThatIsNoPositiveNumber(String text) {
    assertThatThrownBy(() -> environment("JACCL4J_TIMEOUT", text).timeout())
        .isInstanceOf(ConfigurationException.class)
        .hasMessage(
            "JACCL4J_TIMEOUT is \"%s\", want a positive number of seconds, such as 30 or 2.5"
                .formatted(text));
  }

  @Test
  void shouldNeverShowTheKey() {
    MlxEnvironment environment = environment("JACCL4J_KEY", SECRET);

    assertThat(environment.key())
        .hasValueSatisfying(
            key -> assertThat(key).isEqualTo(SECRET.getBytes(StandardCharsets.UTF_8)));
    assertThat(environment.effective())
        .contains(new EffectiveValue("key", "21 bytes", "JACCL4J_KEY"));
    assertThat(
            environment.effective().stream()
                    .map(EffectiveValue::toString)
                    .collect(Collectors.joining())
                + environment)
        .doesNotContain(SECRET);
    assertThatThrownBy(() -> environment("JACCL4J_KEY", "fifteen letters").key())
        .isInstanceOf(ConfigurationException.class)
        .hasMessage("JACCL4J_KEY has 15 bytes, want a secret of 16 or more");
  }

  @Test
  void shouldReadTheBackend() {
    assertThat(environment("JACCL4J_BACKEND", "jaccl").backend()).contains(BackendName.MLX);
    assertThat(environment("JACCL4J_BACKEND", "any").backend()).isEmpty();
    assertThat(environment().backend()).isEmpty();
    assertThatThrownBy(() -> environment("JACCL4J_BACKEND", "nccl").backend())
        .isInstanceOf(ConfigurationException.class)
        .hasMessage(
            "JACCL4J_BACKEND is \"nccl\", want one of any, tcp, ring, thunderbolt, tb, mlx, jaccl,"
                + " mlx-jaccl");
  }

  @Test
  void shouldListEveryValueSetOrNot() {
    assertThat(environment("MLX_HOSTFILE", "h.json", "JACCL4J_TIMEOUT", "bad").effective())
        .containsExactly(
            new EffectiveValue("rank", "", "not set: JACCL_RANK, MLX_RANK"),
            new EffectiveValue("device file", "", "not set: JACCL_IBV_DEVICES, MLX_IBV_DEVICES"),
            new EffectiveValue(
                "coordinator", "", "not set: JACCL_COORDINATOR, MLX_JACCL_COORDINATOR"),
            new EffectiveValue("prefer ring", "", "not set: JACCL_RING, MLX_JACCL_RING"),
            new EffectiveValue("hostfile", "h.json", "MLX_HOSTFILE"),
            new EffectiveValue("ring verbose", "", "not set: MLX_RING_VERBOSE"),
            new EffectiveValue("timeout", "bad", "JACCL4J_TIMEOUT"),
            new EffectiveValue("key", "", "not set: JACCL4J_KEY"),
            new EffectiveValue("backend", "", "not set: JACCL4J_BACKEND"));
  }

  @Test
  void shouldReadTheProcess() {
    assertThat(MlxEnvironment.ofProcess().effective()).hasSizeGreaterThanOrEqualTo(9);
  }

  private static MlxEnvironment environment(String... namesAndValues) {
    Map<String, String> variables = new HashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      variables.put(namesAndValues[i], namesAndValues[i + 1]);
    }
    return MlxEnvironment.of(variables);
  }
}
