package io.jaccl4j.readme;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.jaccl4j.GroupSettings;
import io.jaccl4j.config.SettingsReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.cluster.typed.Join;
import org.junit.jupiter.api.Test;

/** What the README shows is what compiles, parses and runs. */
class ReadmeTest {
  private static final Path EXAMPLE =
      Path.of("src/test/java/io/jaccl4j/readme/EmbeddingExample.java");

  @Test
  void shouldShowTheEmbeddingThatIsCompiledHere() throws IOException {
    String source = Files.readString(EXAMPLE);
    String shown =
        source
            .substring(
                source.indexOf("// snippet begins\n") + "// snippet begins\n".length(),
                source.indexOf("    // snippet ends"))
            .indent(-4);
    assertThat(Readme.snippet("embedding")).isEqualTo(shown);
    assertThat(shown.lines().count()).as("15 lines").isLessThanOrEqualTo(15);
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
