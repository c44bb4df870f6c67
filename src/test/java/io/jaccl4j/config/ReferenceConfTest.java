package io.jaccl4j.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValue;
import io.jaccl4j.GroupSettings;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * {@code reference.conf} is the manual: what it says is read, what is read it says, and whatever
 * else names a key names one of its keys.
 */
class ReferenceConfTest {
  private static final String DISPATCHER = "jaccl4j.dispatcher";
  private static final String BINDINGS = "pekko.actor.serialization-bindings";
  private static final String EQUAL = "EQUAL ON ALL RANKS";

  /** A system property of the commands, which embedding applications do not have. */
  private static final String LOG_LEVEL = "jaccl4j.cli.log-level";

  /** Not part of the name of a package, a file or a host. */
  private static final Pattern KEY =
      Pattern.compile("(?<![A-Za-z0-9._/@-])jaccl4j(?:\\.[a-z][a-z0-9-]*+)++");

  /** For every key another value than its default, which is accepted. */
  private static final Map<String, String> OTHER_VALUES =
      Map.ofEntries(
          Map.entry("jaccl4j.group.name", "other"),
          Map.entry("jaccl4j.group.size", "3"),
          Map.entry("jaccl4j.group.rank", "1"),
          Map.entry("jaccl4j.group.role", "other"),
          Map.entry("jaccl4j.fabric", "tcp"),
          Map.entry("jaccl4j.topology", "ring"),
          Map.entry("jaccl4j.wire", "mlx"),
          Map.entry("jaccl4j.formation-timeout", "61s"),
          Map.entry("jaccl4j.operation-timeout", "31s"),
          Map.entry("jaccl4j.slow-peer-warning", "4s"),
          Map.entry("jaccl4j.unreachable-timeout", "6s"),
          Map.entry("jaccl4j.submission-queue-length", "7"),
          Map.entry("jaccl4j.idle.spin", "21us"),
          Map.entry("jaccl4j.idle.yield", "201us"),
          Map.entry("jaccl4j.idle.park", "51us"),
          Map.entry("jaccl4j.idle.events", "on"),
          Map.entry("jaccl4j.memory.slot-bytes", "4096"),
          Map.entry("jaccl4j.memory.registered-bytes", "1 MiB"),
          Map.entry("jaccl4j.memory.shm-directory", "\"/other\""),
          Map.entry("jaccl4j.verbs.library", "\"/other.so\""),
          Map.entry("jaccl4j.verbs.devices", "[other]"),
          Map.entry("jaccl4j.verbs.queue-pair", "uc"),
          Map.entry("jaccl4j.verbs.gid-index", "3"),
          Map.entry("jaccl4j.verbs.pair-wires", "on"),
          Map.entry("jaccl4j.verbs.trace", "true"),
          Map.entry("jaccl4j.tcp.interface", "other"),
          Map.entry("jaccl4j.tcp.exclude", "[other]"),
          Map.entry("jaccl4j.tcp.port", "7000"),
          Map.entry("jaccl4j.tcp.sockets-per-wire", "2"),
          Map.entry("jaccl4j.tcp.send-buffer-bytes", "1 MiB"),
          Map.entry("jaccl4j.tcp.receive-buffer-bytes", "1 MiB"),
          Map.entry("jaccl4j.mesh.small-bytes", "1"),
          Map.entry("jaccl4j.ring.wires", "2"),
          Map.entry("jaccl4j.ring.degrade", "on"),
          Map.entry("jaccl4j.ring.small-bytes", "1"),
          Map.entry("jaccl4j.ring.scatter-small-bytes", "1"),
          Map.entry("jaccl4j.side-channel.part-bytes", "1 KiB"),
          Map.entry("jaccl4j.side-channel.max-contribution-bytes", "1 MiB"),
          Map.entry("jaccl4j.side-channel.resend-interval", "201ms"));

  /** As a program sets it, from a device file; there is no key for it. */
  private static final Set<String> WITHOUT_KEY = Set.of("verbs.deviceMatrix");

  /** The library's own file alone, without those of its dependencies. */
  private static Config reference() {
    return ConfigFactory.parseFile(new File("src/main/resources/reference.conf")).resolve();
  }

  /** All that the settings are read from. */
  private static Set<String> settingsKeys() {
    return reference().getConfig("jaccl4j").entrySet().stream()
        .map(entry -> "jaccl4j." + entry.getKey())
        .filter(key -> !key.startsWith(DISPATCHER + "."))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static GroupSettings read(String text) {
    return SettingsReader.read(
        ConfigFactory.parseString(text)
            .withFallback(ConfigFactory.parseString("jaccl4j.group.size = 2"))
            .withFallback(ConfigFactory.defaultReference()));
  }

  @Test
  void shouldKnowAnotherValueOfEveryKey() {
    assertThat(OTHER_VALUES.keySet()).isEqualTo(settingsKeys());
  }

  /** Each in a place of its own: one key changes one value of the settings, and no two the same. */
  @Test
  void shouldBringEveryKeyIntoTheSettingsAndEverySettingFromAKey() {
    Map<String, String> keyByComponent = new TreeMap<>();
    Map<String, Object> defaults = components(read(""));
    OTHER_VALUES.forEach(
        (key, value) -> {
          Map<String, Object> changed = components(read(key + " = " + value));
          List<String> differing =
              defaults.keySet().stream()
                  .filter(component -> !changed.get(component).equals(defaults.get(component)))
                  .toList();
          assertThat(differing).as("what [%s] changes", key).hasSize(1);
          assertThat(keyByComponent.put(differing.getFirst(), key))
              .as("another key that changes what [%s] does", key)
              .isNull();
        });
    Set<String> settings = new TreeSet<>(defaults.keySet());
    settings.removeAll(WITHOUT_KEY);
    assertThat(keyByComponent.keySet()).isEqualTo(settings);
  }

  /** By the names of their record components, which those of the sections precede. */
  private static Map<String, Object> components(Record settings) {
    Map<String, Object> values = new TreeMap<>();
    for (RecordComponent component : settings.getClass().getRecordComponents()) {
      Object value = value(settings, component);
      if (value instanceof Record section) {
        components(section)
            .forEach((name, inner) -> values.put(component.getName() + "." + name, inner));
      } else {
        values.put(component.getName(), value);
      }
    }
    return values;
  }

  private static Object value(Record owner, RecordComponent component) {
    try {
      return component.getAccessor().invoke(owner);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(component.toString(), e);
    }
  }

  @Test
  void shouldSayOfExactlyThoseKeysThatTheyMustBeEqual() {
    Set<String> marked =
        documented("", reference().root()).entrySet().stream()
            .filter(entry -> String.join(" ", entry.getValue()).contains(EQUAL))
            .map(Map.Entry::getKey)
            .collect(Collectors.toSet());
    assertThat(marked).isEqualTo(read("").fingerprint().keySet());
  }

  @Test
  void shouldExplainEverySectionAndEveryKey() {
    Map<String, List<String>> comments = documented("", reference().root());
    comments.keySet().removeAll(Set.of("jaccl4j", "pekko", "pekko.actor"));
    assertThat(comments)
        .hasSizeGreaterThan(settingsKeys().size())
        .allSatisfy(
            (key, lines) ->
                assertThat(String.join(" ", lines))
                    .as("comment of %s", key)
                    .hasSizeGreaterThan(15));
  }

  private static Map<String, List<String>> documented(String prefix, ConfigObject object) {
    Map<String, List<String>> comments = new TreeMap<>();
    object.forEach(
        (name, value) -> {
          String key = prefix + name;
          comments.put(key, comments(value));
          if (value instanceof ConfigObject section) {
            comments.putAll(documented(key + ".", section));
          }
        });
    return comments;
  }

  private static List<String> comments(ConfigValue value) {
    return value.origin().comments();
  }

  /** What a library's reference.conf sets applies to every application that has it. */
  @Test
  void shouldSetNothingOfOthersButOneSerializationBinding() {
    List<String> others =
        reference().entrySet().stream()
            .map(Map.Entry::getKey)
            .filter(key -> !key.startsWith("jaccl4j."))
            .toList();
    assertThat(others).hasSize(1).allMatch(key -> key.startsWith(BINDINGS + "."));
    assertThat(reference().getObject(BINDINGS).keySet())
        .allSatisfy(marker -> assertThat(Class.forName(marker)).isInterface());
  }

  @Test
  void shouldConfigureTheDispatcherWithKeysThatPekkoReads() {
    Config pekkos = ConfigFactory.defaultReference().getConfig("pekko.actor.default-dispatcher");
    assertThat(reference().getConfig(DISPATCHER).entrySet())
        .isNotEmpty()
        .allSatisfy(entry -> assertThat(pekkos.hasPathOrNull(entry.getKey())).isTrue());
  }

  /** A name that does not exist would end every member that starts with it. */
  @Test
  void shouldNameDowningProvidersThatExist() throws IOException {
    Pattern provider = Pattern.compile("downing-provider-class = \"([^\"]+)\"");
    Set<String> named = new TreeSet<>();
    for (Path file : texts().toList()) {
      provider
          .matcher(Files.readString(file))
          .results()
          .forEach(found -> named.add(found.group(1)));
    }
    assertThat(named).isNotEmpty().allSatisfy(name -> assertThat(Class.forName(name)).isNotNull());
  }

  /** Errors, Javadoc, the README and the samples: whoever follows them finds the key. */
  @Test
  void shouldNameOnlyKeysThatExist() throws IOException {
    Set<String> all = new TreeSet<>();
    for (Path file : texts().toList()) {
      Set<String> named =
          KEY.matcher(Files.readString(file))
              .results()
              .map(match -> match.group())
              .collect(Collectors.toSet());
      named.remove(LOG_LEVEL);
      assertThat(named).as("keys in %s", file).allMatch(reference()::hasPath);
      all.addAll(named);
    }
    assertThat(all).as("the keys that have errors of their own").contains("jaccl4j.tcp.interface");
  }

  private static Stream<Path> texts() {
    return Stream.concat(
        Stream.of(Path.of("README.md")),
        Stream.of("conf", "src/main/resources", "src/main/java")
            .map(Path::of)
            .flatMap(ReferenceConfTest::files));
  }

  private static Stream<Path> files(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      return files
          .filter(file -> file.toString().matches(".*\\.(java|conf|yaml)"))
          .toList()
          .stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
