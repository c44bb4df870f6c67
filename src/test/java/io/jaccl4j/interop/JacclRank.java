package io.jaccl4j.interop;

import com.typesafe.config.ConfigFactory;
import io.jaccl4j.Group;
import io.jaccl4j.GroupSettings;
import io.jaccl4j.config.SettingsReader;
import io.jaccl4j.config.mlx.JacclConfiguration;
import io.jaccl4j.config.mlx.MlxEnvironment;
import io.jaccl4j.engine.LinkExchange;
import io.jaccl4j.fabric.verbs.VerbsFabricProvider;
import io.jaccl4j.init.JacclStart;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** A rank of JACCL's sequence, set up by JACCL's environment alone. */
final class JacclRank {
  private static final long REGISTERED_BYTES = 1 << 20;

  private final Map<String, String> environment;
  private final Consumer<String> lines;
  private final InteropMain.StepCounter steps;

  JacclRank(
      Map<String, String> environment, Consumer<String> lines, InteropMain.StepCounter steps) {
    this.environment = environment;
    this.lines = lines;
    this.steps = steps;
  }

  /** Runs the whole sequence; whether all was right. */
  boolean run() {
    MlxEnvironment mlx = MlxEnvironment.of(environment);
    JacclConfiguration read = mlx.requireJaccl(true);
    boolean ring = read.preferRing() || "ring".equals(environment.get("INTEROP_TOPO"));
    JacclConfiguration configuration =
        new JacclConfiguration(read.rank(), read.devices(), read.coordinator(), ring);
    int size = configuration.devices().size();
    int wires =
        ring
            ? Integer.parseInt(
                environment.getOrDefault(
                    "INTEROP_WIRES", Integer.toString(configuration.devices().ringWires())))
            : 1;
    try (Group group =
        new JacclStart(
                configuration,
                settings(mlx, size),
                mlx.key(),
                new VerbsFabricProvider(System::nanoTime),
                LinkExchange.JACCL)
            .form(Optional.empty())) {
      JacclSequence sequence =
          new JacclSequence(group, ring, wires, new Expectation(ring, size, wires), lines);
      int from = Integer.parseInt(environment.getOrDefault("INTEROP_FROM", "1"));
      int to =
          Integer.parseInt(
              environment.getOrDefault("INTEROP_TO", Integer.toString(Integer.MAX_VALUE)));
      for (Step step : JacclSequence.steps(ring, size)) {
        if (step.number() >= from && step.number() <= to) {
          steps.begin(step.number());
          sequence.run(step);
        }
      }
      return sequence.finish();
    }
  }

  private GroupSettings settings(MlxEnvironment mlx, int size) {
    GroupSettings settings = SettingsReader.read(ConfigFactory.load(), "interop", size);
    Optional<Path> library =
        Stream.of("JACCL4J_VERBS_LIBRARY", "EMUVERBS_LIB")
            .map(environment::get)
            .filter(name -> name != null && !name.isEmpty())
            .findFirst()
            .map(Path::of);
    return settings
        .withFormationTimeout(mlx.timeout().orElse(settings.formationTimeout()))
        .withOperationTimeout(Duration.ofSeconds(60))
        .withMemory(
            new GroupSettings.Memory(512 << 10, REGISTERED_BYTES, settings.memory().shmDirectory()))
        .withVerbs(
            new GroupSettings.Verbs(
                library,
                List.of(),
                List.of(),
                GroupSettings.QueuePairType.UC,
                OptionalInt.empty(),
                false,
                false));
  }
}
