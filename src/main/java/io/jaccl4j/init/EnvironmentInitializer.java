package io.jaccl4j.init;

import com.typesafe.config.ConfigFactory;
import io.jaccl4j.AllGather;
import io.jaccl4j.Backend;
import io.jaccl4j.ConfigurationException;
import io.jaccl4j.Group;
import io.jaccl4j.GroupInitializer;
import io.jaccl4j.GroupSettings;
import io.jaccl4j.config.SettingsReader;
import io.jaccl4j.config.mlx.BackendName;
import io.jaccl4j.config.mlx.JacclConfiguration;
import io.jaccl4j.config.mlx.MlxEnvironment;
import io.jaccl4j.config.mlx.OwnRank;
import io.jaccl4j.config.mlx.RingConfiguration;
import io.jaccl4j.fabric.verbs.VerbsFabricProvider;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the environment and makes the group that it describes. */
public final class EnvironmentInitializer implements GroupInitializer {
  private static final Logger LOG = LoggerFactory.getLogger(EnvironmentInitializer.class);

  private final MlxEnvironment environment;

  /** Of this process's environment. */
  public EnvironmentInitializer() {
    this(MlxEnvironment.ofProcess());
  }

  /** Of another environment. */
  public EnvironmentInitializer(MlxEnvironment environment) {
    this.environment = environment;
  }

  @Override
  public Optional<String> unavailableBecause(Backend backend) {
    return switch (backend) {
      case ANY, RING -> Optional.empty();
      case JACCL ->
          new VerbsFabricProvider(System::nanoTime).unavailableBecause(settings("jaccl", 1));
    };
  }

  @Override
  public Optional<Group> form(Backend backend, Optional<AllGather.Factory> sideChannel) {
    environment.warnings().forEach(LOG::warn);
    return switch (chosen(backend, sideChannel.isPresent())) {
      case ANY -> Optional.empty();
      case RING -> Optional.of(ring());
      case JACCL -> Optional.of(jaccl(sideChannel));
    };
  }

  /** The backend that is configured; {@link Backend#ANY} if none is. */
  private Backend chosen(Backend wanted, boolean hasSideChannel) {
    boolean ring = environment.hostfile().isPresent();
    boolean jaccl =
        environment.deviceFile().isPresent()
            || environment.coordinator().isPresent()
            || (hasSideChannel && environment.rank().isPresent());
    return switch (wanted) {
      case RING -> ring ? Backend.RING : Backend.ANY;
      case JACCL -> jaccl ? Backend.JACCL : Backend.ANY;
      case ANY -> {
        Optional<BackendName> named = environment.backend();
        if (named.isPresent()) {
          // Named but not described: the form that follows says what is missing.
          yield named.get() == BackendName.TCP ? Backend.RING : Backend.JACCL;
        }
        // As MLX tries them.
        yield ring ? Backend.RING : jaccl ? Backend.JACCL : Backend.ANY;
      }
    };
  }

  private Group jaccl(Optional<AllGather.Factory> sideChannel) {
    JacclConfiguration configuration = environment.requireJaccl(sideChannel.isEmpty());
    GroupSettings settings = settings("jaccl", configuration.devices().size());
    return new JacclStart(
            configuration, settings, environment.key(), new VerbsFabricProvider(System::nanoTime))
        .form(sideChannel);
  }

  private Group ring() {
    RingConfiguration configuration = environment.requireRing(OwnRank.ofThisMachine());
    return RingStart.form(
        configuration, settings("ring", configuration.hosts().size()), environment.key());
  }

  @Override
  public ConfigurationException missing(Backend backend) {
    return switch (backend) {
      case RING -> missing(() -> environment.requireRing(OwnRank.ofThisMachine()));
      case JACCL -> missing(() -> environment.requireJaccl(true));
      case ANY ->
          new ConfigurationException(
              missing(() -> environment.requireRing(OwnRank.ofThisMachine())).getMessage()
                  + "; "
                  + missing(() -> environment.requireJaccl(true)).getMessage());
    };
  }

  private static ConfigurationException missing(Runnable requirement) {
    try {
      requirement.run();
      return new ConfigurationException("nothing is missing");
    } catch (ConfigurationException e) {
      return e;
    }
  }

  @Override
  public Group alone() {
    return LoneStart.form(settings("alone", 1));
  }

  private GroupSettings settings(String name, int size) {
    GroupSettings settings = SettingsReader.read(ConfigFactory.load(), name, size);
    Duration timeout = environment.timeout().orElse(settings.formationTimeout());
    return settings.withFormationTimeout(timeout);
  }
}
