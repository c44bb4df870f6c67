package io.jaccl4j.readme;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.jaccl4j.GroupSettings;
import io.jaccl4j.cli.Main;
import io.jaccl4j.config.SettingsReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.cluster.typed.Join;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the README shows is what compiles, parses and runs. */
class ReadmeTest {
  private static final Path EXAMPLES = Path.of("src/test/java/io/jaccl4j/readme");

  @Test
  void shouldShowTheEmbeddingThatIsCompiledHere() throws IOException {
    String compiled = compiled("EmbeddingExample.java");
    assertThat(Readme.snippet("embedding")).isEqualTo(compiled);
    assertThat(compiled.lines().count()).as("15 lines").isLessThanOrEqualTo(15);
  }

  @Test
  void shouldShowTheLocalClusterThatIsCompiledHere() throws IOException {
    assertThat(Readme.snippet("local-cluster")).isEqualTo(compiled("LocalClusterExample.java"));
  }

  @Test
  void shouldSumOverTheLocalCluster() {
    assertThat(LocalClusterExample.run()).containsExactly(10f, 10f, 10f, 10f);
  }

  private static String compiled(String example) throws IOException {
    String source = Files.readString(EXAMPLES.resolve(example));
    return source
        .substring(
            source.indexOf("// snippet begins\n") + "// snippet begins\n".length(),
            source.indexOf("    // snippet ends"))
        .indent(-4);
  }

  @Test
  void shouldSumTheGradientOfTwoMembers() throws Exception {
    Config config =
        ConfigFactory.parseResources("io/jaccl4j/cli/demo.conf")
            .withFallback(
                ConfigFactory.parseString("pekko.cluster.jmx.multi-mbeans-in-same-jvm = on"))
            .withFallback(ConfigFactory.load());
    List<ActorSystem<Void>> systems = new ArrayList<>();
    ExecutorService ranks = Executors.newFixedThreadPool(2);
    try {
      for (int member = 0; member < 2; member++) {
        ActorSystem<Void> system = ActorSystem.create(Behaviors.empty(), "readme", config);
        systems.add(system);
        Cluster.get(system)
            .manager()
            .tell(Join.create(Cluster.get(systems.getFirst()).selfMember().address()));
      }
      List<Future<Float>> results = new ArrayList<>();
      for (ActorSystem<Void> system : systems) {
        Callable<Float> example = () -> EmbeddingExample.run(system);
        results.add(ranks.submit(example));
      }
      for (Future<Float> result : results) {
        assertThat(result.get(60, TimeUnit.SECONDS)).isEqualTo(3f);
      }
    } finally {
      ranks.shutdownNow();
      for (ActorSystem<Void> system : systems) {
        system.terminate();
      }
      for (ActorSystem<Void> system : systems) {
        system.getWhenTerminated().toCompletableFuture().get(30, TimeUnit.SECONDS);
      }
    }
  }

  /** Whoever reads of a command can run it: it exists with these arguments. */
  @ParameterizedTest
  @ValueSource(strings = {"devices", "check", "topology conf/thunderbolt-pair.json"})
  void shouldShowCommandsThatExist(String arguments) throws IOException {
    assertThat(Files.readString(Path.of("README.md")))
        .contains("mvn -q compile exec:exec -Dargs=\"" + arguments + "\"");
    Process process =
        new ProcessBuilder(
                Stream.concat(
                        Stream.of(
                            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                            "--enable-native-access=ALL-UNNAMED",
                            "-classpath",
                            System.getProperty("java.class.path"),
                            Main.class.getName()),
                        Stream.of(arguments.split(" ")))
                    .toList())
            .redirectErrorStream(true)
            .start();
    List<String> output = process.inputReader().lines().toList();
    assertThat(process.onExit())
        .succeedsWithin(Duration.ofSeconds(30))
        // 1 where this machine has no device, 0 where it has.
        .satisfies(ended -> assertThat(ended.exitValue()).as("%s", output).isBetween(0, 1));
    assertThat(output).isNotEmpty();
  }

  @Test
  void shouldNameSideChannelsThatExist() throws IOException {
    String table = Files.readString(Path.of("README.md"));
    table = table.substring(table.indexOf("| side channel |"), table.indexOf("| Pekko | |"));
    List<String> names =
        Pattern.compile("\\| `(\\w+)` \\|")
            .matcher(table)
            .results()
            .map(result -> result.group(1))
            .toList();
    assertThat(names).hasSize(4);
    assertThat(names)
        .allSatisfy(
            name ->
                assertThatCode(() -> Class.forName("io.jaccl4j.sidechannel." + name))
                    .doesNotThrowAnyException());
  }

  @Test
  void shouldShowAConfigurationThatIsAccepted() throws IOException {
    Config shown = ConfigFactory.parseString(Readme.snippet("configuration"));
    GroupSettings settings = SettingsReader.read(shown.withFallback(ConfigFactory.load()));
    assertThat(settings.name()).isEqualTo("training");
    assertThat(settings.size()).isEqualTo(4);
    Config defaults = ConfigFactory.defaultReference();
    assertThat(shown.entrySet())
        .as("only keys that exist")
        .allSatisfy(entry -> assertThat(defaults.hasPath(entry.getKey())).isTrue());
  }
}
