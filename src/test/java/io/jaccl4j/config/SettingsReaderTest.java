package io.jaccl4j.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigValueFactory;
import io.jaccl4j.FormationException;
import io.jaccl4j.GroupSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class SettingsReaderTest {

  @Test
  void shouldReadEveryDefault() {
    GroupSettings settings = SettingsReader.read(config("jaccl4j.group.size = 4"));

    assertThat(settings.name()).isEqualTo("default");
    assertThat(settings.size()).isEqualTo(4);
    assertThat(settings.fixedRank()).isEmpty();
    assertThat(settings.role()).isEmpty();
    assertThat(settings.fabric()).isEqualTo("auto");
    assertThat(settings.formationTimeout()).isEqualTo(Duration.ofSeconds(60));
    assertThat(settings.operationTimeout()).isEqualTo(Duration.ofSeconds(30));
    assertThat(settings.slowPeerWarning()).isEqualTo(Duration.ofSeconds(3));
    assertThat(settings.memory())
        .isEqualTo(new GroupSettings.Memory(512 * 1024, 256L << 20, Path.of("/dev/shm")));
    assertThat(settings.mesh().smallBytes()).isEqualTo(32768);
    assertThat(settings.sideChannel().partBytes()).isEqualTo(64 * 1024);
    assertThat(settings.sideChannel().maxContributionBytes()).isEqualTo(16 << 20);
  }

  @Test
  void shouldReadFixedRank() {
    assertThat(SettingsReader.read(config("jaccl4j.group { size = 4, rank = 3 }")).fixedRank())
        .hasValue(3);
  }

  @Test
  void shouldRefuseForgottenSize() {
    assertThatThrownBy(() -> SettingsReader.read(config("")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("jaccl4j.group.size is 0, want 1 or more")
        .hasMessageContaining("reference.conf");
  }

  @Test
  void shouldNameKeyGotWantAndOriginOfBadValue() {
    assertThatThrownBy(
            () ->
                SettingsReader.read(config("jaccl4j { group.size = 2\nmemory.slot-bytes = 5000}")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("jaccl4j.memory.slot-bytes is 5000, want a power of two")
        .hasMessageContaining("my.conf: 2");
  }

  @Test
  void shouldNameKeyAndOriginOfRankThatIsNoNumber() {
    assertThatThrownBy(
            () -> SettingsReader.read(config("jaccl4j.group { size = 2, rank = first }")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("jaccl4j.group.rank is \"first\", want \"auto\" or a number")
        .hasMessageContaining("my.conf: 1");
  }

  @Test
  void shouldRefuseFixedRankOutOfRange() {
    assertThatThrownBy(() -> SettingsReader.read(config("jaccl4j.group { size = 2, rank = 2 }")))
        .isInstanceOfSatisfying(
            FormationException.class,
            e -> assertThat(e.reason()).isEqualTo(FormationException.Reason.RANK_CONFLICT))
        .hasMessageContaining("jaccl4j.group.rank is 2, want 0 to 1")
        .hasMessageContaining("my.conf: 1");
  }

  @ParameterizedTest
  @CsvSource({
    "sockets-per-wire, 0, want 1 to 8",
    "sockets-per-wire, 9, want 1 to 8",
    "port, -1, want a port",
    "port, 65536, want a port",
    "receive-buffer-bytes, 4 GiB, want at most",
  })
  void shouldRefuseUseOfSocketsOutOfRange(String key, String value, String want) {
    assertThatThrownBy(
            () ->
                SettingsReader.read(
                    config("jaccl4j { group.size = 2\ntcp." + key + " = " + value + "}")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("jaccl4j.tcp." + key + " is ")
        .hasMessageContaining(want)
        .hasMessageContaining("my.conf: 2");
  }

  @Test
  void shouldReadHowSocketsAreUsed() {
    assertThat(SettingsReader.read(config("jaccl4j.group.size = 2")).tcp())
        .isEqualTo(new GroupSettings.Tcp("auto", 0, 1, 0, 0))
        .isEqualTo(GroupSettings.Tcp.auto());
    GroupSettings settings =
        SettingsReader.read(
            config(
                """
                jaccl4j {
                  group.size = 2
                  tcp {
                    interface = eth1, port = 7000, sockets-per-wire = 4
                    send-buffer-bytes = 1 MiB, receive-buffer-bytes = 2 MiB
                  }
                }
                """));
    assertThat(settings.tcp()).isEqualTo(new GroupSettings.Tcp("eth1", 7000, 4, 1 << 20, 2 << 20));
    assertThat(settings.fingerprint()).containsEntry("jaccl4j.tcp.sockets-per-wire", "4");
  }

  @Test
  void shouldRefuseSizeBeyondInt() {
    assertThatThrownBy(
            () ->
                SettingsReader.read(
                    config("jaccl4j { group.size = 2, side-channel.part-bytes = 4 GiB }")))
        .hasMessageContaining("jaccl4j.side-channel.part-bytes is 4294967296, want at most");
  }

  @ParameterizedTest
  @MethodSource("keysOfOurs")
  void shouldReadEveryKeyOfReferenceConf(String key) {
    Config broken =
        config("jaccl4j.group.size = 4")
            .withValue(key, ConfigValueFactory.fromMap(Map.of("not", "a value")));

    assertThatThrownBy(() -> SettingsReader.read(broken))
        .as("a value that nobody can use must be noticed by whoever reads the key")
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(key);
  }

  /** All leaves but the dispatcher's, which Pekko reads. */
  static Stream<String> keysOfOurs() {
    return reference().getConfig("jaccl4j").entrySet().stream()
        .map(entry -> "jaccl4j." + entry.getKey())
        .filter(key -> !key.startsWith("jaccl4j.dispatcher."))
        .sorted();
  }

  private static Config reference() {
    return ConfigFactory.parseResources(SettingsReader.class.getClassLoader(), "reference.conf");
  }

  private static Config config(String text) {
    return ConfigFactory.parseString(
            text, ConfigParseOptions.defaults().setOriginDescription("my.conf"))
        .withFallback(ConfigFactory.defaultReference());
  }
}
