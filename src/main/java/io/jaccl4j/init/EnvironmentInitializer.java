package io.jaccl4j.init;

import com.typesafe.config.ConfigException;
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
import io.jaccl4j.engine.LinkExchange;
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
      case JACCL -> verbsUnavailableBecause();
    };
  }

  private static Optional<String> verbsUnavailableBecause() {
    try {
      return new VerbsFabricProvider(System::nanoTime)
          .unavailableBecause(SettingsReader.read(ConfigFactory.load(), "jaccl", 1));
    } catch (ConfigurationException | ConfigException e) {
      return Optional.of("the configuration cannot be read: " + e.getMessage());
    }
  }

  @Override
  public Optional<Backend> configured(Backend wanted, boolean hasSideChannel) {
    if (wanted == Backend.ANY) {
      return configured(hasSideChannel);
    }
    boolean any = hasRing() || hasJaccl(hasSideChannel) || hasHigherRank();
    return any ? Optional.of(wanted) : Optional.empty();
  }

  private Optional<Backend> configured(boolean hasSideChannel) {
    Optional<BackendName> named = environment.backend();
    if (named.isPresent()) {
      // Named but not described: the form that follows says what is missing.
      return Optional.of(named.get() == BackendName.TCP ? Backend.RING : Backend.JACCL);
    }
    preference().ifPresent(LOG::info);
    if (hasRing()) {
      return Optional.of(Backend.RING);
    }
    if (hasJaccl(hasSideChannel)) {
      return Optional.of(Backend.JACCL);
    }
    if (hasHigherRank()) {
      throw new ConfigurationException(
          "rank is "
              + environment.rank().orElseThrow()
              + ", so that there are others, but "
              + missing(Backend.ANY, hasSideChannel).getMessage());
    }
    return Optional.empty();
  }

  /** Why {@link Backend#ANY} is the ring where JACCL is configured too. */
  public Optional<String> preference() {
    return environment.backend().isEmpty() && hasRing() && hasJaccl(false)
        ? Optional.of(
            "the TCP ring comes before JACCL, as in MLX, and both are configured;"
                + " JACCL4J_BACKEND=jaccl takes the other")
        : Optional.empty();
  }

  private boolean hasRing() {
    return environment.hostfile().isPresent();
  }

  /** Retired names count: who has set them wants no group of one. */
  private boolean hasJaccl(boolean hasSideChannel) {
    return environment.deviceFile().isPresent()
        || environment.coordinator().isPresent()
        || (hasSideChannel && environment.rank().isPresent())
        || !environment.warnings().isEmpty();
  }

  /** Rank 0 may be alone, any other one is not. */
  private boolean hasHigherRank() {
    return environment.rank().orElse(0) > 0;
  }

  @Override
  public Group form(Backend backend, Optional<AllGather.Factory> sideChannel) {
    environment.warnings().forEach(LOG::warn);
    return switch (backend) {
      case RING -> ring();
      case JACCL -> jaccl(sideChannel);
      case ANY -> throw new IllegalArgumentException("backend is any, want ring or jaccl");
    };
  }

  private Group jaccl(Optional<AllGather.Factory> sideChannel) {
    JacclConfiguration configuration = environment.requireJaccl(sideChannel.isEmpty());
    GroupSettings settings = settings("jaccl", configuration.devices().size());
    LinkExchange exchange =
        environment.backend().equals(Optional.of(BackendName.THUNDERBOLT))
            ? LinkExchange.OWN_WATCHED
            : LinkExchange.JACCL;
    return new JacclStart(
            configuration,
            settings,
            environment.key(),
            new VerbsFabricProvider(System::nanoTime),
            exchange)
        .form(sideChannel);
  }

  private Group ring() {
    RingConfiguration configuration = environment.requireRing(OwnRank.ofThisMachine());
    return RingStart.form(
        configuration, settings("ring", configuration.hosts().size()), environment.key());
  }

  @Override
  public ConfigurationException missing(Backend backend, boolean hasSideChannel) {
    return switch (backend) {
      case RING -> missing(() -> environment.requireRing(OwnRank.ofThisMachine()));
      case JACCL -> missing(() -> environment.requireJaccl(!hasSideChannel));
      case ANY ->
          new ConfigurationException(
              missing(Backend.RING, hasSideChannel).getMessage()
                  + "; "
                  + missing(Backend.JACCL, hasSideChannel).getMessage());
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
