package io.jaccl4j.config.mlx;

import io.jaccl4j.ConfigurationException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The environment variables of MLX and JACCL, and this library's own beside them. A variable that
 * is set counts, even to the empty string, as in MLX: it hides the name that would be looked at
 * next, and means yes where only presence matters. Values are read when they are asked for, so that
 * a wrong one harms only who needs it.
 */
public final class MlxEnvironment {
  private static final Setting RANK = new Setting("rank", "JACCL_RANK", "MLX_RANK");
  private static final Setting RING_RANK = new Setting("rank in the TCP ring", "MLX_RANK");
  private static final Setting DEVICES =
      new Setting("device file", "JACCL_IBV_DEVICES", "MLX_IBV_DEVICES");
  private static final Setting COORDINATOR =
      new Setting("coordinator", "JACCL_COORDINATOR", "MLX_JACCL_COORDINATOR");
  private static final Setting PREFER_RING =
      new Setting("prefer ring", "JACCL_RING", "MLX_JACCL_RING");
  private static final Setting HOSTFILE = new Setting("hostfile", "MLX_HOSTFILE");
  private static final Setting RING_VERBOSE = new Setting("ring verbose", "MLX_RING_VERBOSE");
  private static final Setting TIMEOUT = new Setting("timeout", "JACCL4J_TIMEOUT");
  private static final Setting KEY = new Setting("key", "JACCL4J_KEY");
  private static final Setting BACKEND = new Setting("backend", "JACCL4J_BACKEND");
  private static final List<Setting> SETTINGS =
      List.of(
          RANK, DEVICES, COORDINATOR, PREFER_RING, HOSTFILE, RING_VERBOSE, TIMEOUT, KEY, BACKEND);

  /** Names that releases of MLX had, and what they are called now. */
  private static final Map<String, String> RETIRED =
      new TreeMap<>(
          Map.of(
              "MLX_IBV_COORDINATOR", "MLX_JACCL_COORDINATOR",
              "MLX_JACCL_DEVICES", "MLX_IBV_DEVICES"));

  private static final Pattern RANK_DIGITS = Pattern.compile("[0-9]{1,9}");
  private static final Pattern SECONDS = Pattern.compile("[0-9]{1,9}(\\.[0-9]{1,9})?");
  private static final int MIN_KEY_BYTES = 16;
  private static final String ANY_BACKEND = "any";

  private final Map<String, String> environment;

  private MlxEnvironment(Map<String, String> environment) {
    this.environment = Map.copyOf(environment);
  }

  /** Reads from a map of variables. */
  public static MlxEnvironment of(Map<String, String> environment) {
    return new MlxEnvironment(environment);
  }

  /** Reads this process's environment. */
  public static MlxEnvironment ofProcess() {
    return new MlxEnvironment(System.getenv());
  }

  /**
   * This rank.
   *
   * @throws ConfigurationException if it is set to something else than a number from 0 up
   */
  public OptionalInt rank() {
    return rank(RANK);
  }

  /** Where the device matrix is. */
  public Optional<Path> deviceFile() {
    return path(DEVICES);
  }

  /** Where rank 0 listens for JACCL's side channel. */
  public Optional<HostPort> coordinator() {
    return found(COORDINATOR)
        .map(
            variable -> {
              try {
                return HostPort.parse(variable.value());
              } catch (IllegalArgumentException e) {
                throw new ConfigurationException(variable.name() + ": " + e.getMessage(), e);
              }
            });
  }

  /** Whether a ring is taken where mesh and ring are possible. */
  public boolean preferRing() {
    return found(PREFER_RING).isPresent();
  }

  /** Where the hosts of the TCP ring are. */
  public Optional<Path> hostfile() {
    return path(HOSTFILE);
  }

  /** Whether the TCP ring tells of its progress. */
  public boolean ringVerbose() {
    return found(RING_VERBOSE).isPresent();
  }

  /** How long forming a group may take. */
  public Optional<Duration> timeout() {
    return found(TIMEOUT)
        .map(
            variable -> {
              BigDecimal seconds =
                  SECONDS.matcher(variable.value()).matches()
                      ? new BigDecimal(variable.value())
                      : BigDecimal.ZERO;
              if (seconds.signum() == 0) {
                throw variable.refused("a positive number of seconds, such as 30 or 2.5");
              }
              return Duration.ofNanos(seconds.movePointRight(9).longValueExact());
            });
  }

  /**
   * The secret that the ranks share. Never shown: not in a complaint, not in the effective
   * configuration.
   */
  public Optional<byte[]> key() {
    return found(KEY)
        .map(
            variable -> {
              byte[] key = variable.value().getBytes(StandardCharsets.UTF_8);
              if (key.length < MIN_KEY_BYTES) {
                throw new ConfigurationException(
                    "%s has %d bytes, want a secret of %d or more"
                        .formatted(variable.name(), key.length, MIN_KEY_BYTES));
              }
              return key;
            });
  }

  /** What carries the group; empty if that is left open, as by {@code any}. */
  public Optional<BackendName> backend() {
    return found(BACKEND)
        .filter(variable -> !variable.value().equals(ANY_BACKEND))
        .map(
            variable ->
                BackendName.named(variable.value())
                    .orElseThrow(
                        () ->
                            variable.refused(
                                "one of " + ANY_BACKEND + ", " + BackendName.choices())));
  }

  /**
   * What JACCL's start needs, as in its non-strict start.
   *
   * @param needsCoordinator whether the metadata goes through JACCL's own TCP coordinator
   * @return empty if a part is missing
   * @throws ConfigurationException if all is there, but wrong
   */
  public Optional<JacclConfiguration> jaccl(boolean needsCoordinator) {
    return missingForJaccl(needsCoordinator).isEmpty()
        ? Optional.of(readJaccl())
        : Optional.empty();
  }

  /**
   * What JACCL's start needs, as in its strict start.
   *
   * @throws ConfigurationException if a part is missing or wrong; names every missing one
   */
  public JacclConfiguration requireJaccl(boolean needsCoordinator) {
    List<Setting> missing = missingForJaccl(needsCoordinator);
    if (!missing.isEmpty()) {
      throw notConfigured("JACCL", missing);
    }
    return readJaccl();
  }

  private List<Setting> missingForJaccl(boolean needsCoordinator) {
    List<Setting> needed = new ArrayList<>(List.of(RANK, DEVICES));
    if (needsCoordinator) {
      needed.add(COORDINATOR);
    }
    needed.removeIf(setting -> found(setting).isPresent());
    return needed;
  }

  private JacclConfiguration readJaccl() {
    int rank = rank().orElseThrow();
    Optional<HostPort> coordinator = coordinator();
    Path file = deviceFile().orElseThrow();
    try {
      return new JacclConfiguration(rank, DeviceFile.read(file), coordinator, preferRing());
    } catch (ConfigurationException e) {
      throw located(e, file, DEVICES, RANK);
    }
  }

  /**
   * What MLX's TCP ring needs. Other than MLX, it does without a rank where the hostfile has one
   * address of this machine.
   *
   * @return empty if there is no hostfile
   * @throws ConfigurationException if it is wrong, or the rank cannot be told
   */
  public Optional<RingConfiguration> ring(OwnRank ownRank) {
    return found(HOSTFILE).map(_ -> readRing(ownRank));
  }

  /**
   * What MLX's TCP ring needs.
   *
   * @throws ConfigurationException if there is no hostfile, it is wrong, or the rank cannot be told
   */
  public RingConfiguration requireRing(OwnRank ownRank) {
    return ring(ownRank).orElseThrow(() -> notConfigured("the TCP ring", List.of(HOSTFILE)));
  }

  private RingConfiguration readRing(OwnRank ownRank) {
    OptionalInt rank = rank(RING_RANK);
    Path file = hostfile().orElseThrow();
    try {
      RingHostfile hosts = RingHostfile.read(file);
      return new RingConfiguration(
          ownRank.of(rank, hosts.hostsByRank(), file.toString()), hosts, ringVerbose());
    } catch (ConfigurationException e) {
      throw located(e, file, HOSTFILE, RING_RANK);
    }
  }

  /** Says which variables led to the file and to the rank. */
  private ConfigurationException located(
      ConfigurationException cause, Path file, Setting fileSetting, Setting rankSetting) {
    return new ConfigurationException(
        "%s (%s=%s, %s)"
            .formatted(
                cause.getMessage(),
                found(fileSetting).orElseThrow().name(),
                file,
                found(rankSetting)
                    .map(variable -> variable.name() + "=" + variable.value())
                    .orElse(rankSetting.names().getLast() + " not set")),
        cause);
  }

  /** Variables that are set, but have another name by now. */
  public List<String> warnings() {
    return RETIRED.entrySet().stream()
        .filter(entry -> environment.containsKey(entry.getKey()))
        .map(
            entry -> entry.getKey() + " is set, but ignored: it was renamed to " + entry.getValue())
        .toList();
  }

  /** Every value, set or not, with the variable that supplied it. */
  public List<EffectiveValue> effective() {
    List<EffectiveValue> values = new ArrayList<>();
    for (Setting setting : SETTINGS) {
      values.add(
          found(setting)
              .map(variable -> row(setting, variable))
              .orElseGet(
                  () ->
                      new EffectiveValue(
                          setting.what(), "", "not set: " + String.join(", ", setting.names()))));
    }
    RETIRED.forEach(
        (retired, current) -> {
          if (environment.containsKey(retired)) {
            values.add(
                new EffectiveValue(
                    retired, environment.get(retired), "ignored: renamed to " + current));
          }
        });
    return values;
  }

  private EffectiveValue row(Setting setting, Variable variable) {
    List<String> hidden =
        setting.names().stream()
            .filter(name -> !name.equals(variable.name()) && environment.containsKey(name))
            .map(name -> name + "=" + environment.get(name))
            .toList();
    String value =
        setting == KEY
            ? "%d bytes".formatted(variable.value().getBytes(StandardCharsets.UTF_8).length)
            : variable.value();
    return new EffectiveValue(
        setting.what(),
        value,
        variable.name() + (hidden.isEmpty() ? "" : ", before " + String.join(", ", hidden)));
  }

  private ConfigurationException notConfigured(String what, List<Setting> missing) {
    StringBuilder message = new StringBuilder(what).append(" is not configured: missing ");
    message.append(String.join(", ", missing.stream().map(Setting::toString).toList()));
    warnings().forEach(warning -> message.append("; ").append(warning));
    return new ConfigurationException(message.toString());
  }

  private OptionalInt rank(Setting setting) {
    Optional<Variable> variable = found(setting);
    if (variable.isEmpty()) {
      return OptionalInt.empty();
    }
    if (!RANK_DIGITS.matcher(variable.get().value()).matches()) {
      throw variable.get().refused("a rank: a whole number from 0");
    }
    return OptionalInt.of(Integer.parseInt(variable.get().value()));
  }

  private Optional<Path> path(Setting setting) {
    return found(setting)
        .map(
            variable -> {
              try {
                if (!variable.value().isBlank()) {
                  return Path.of(variable.value());
                }
              } catch (InvalidPathException _) {
                // Refused below, as a blank one is.
              }
              throw variable.refused("the path of a file");
            });
  }

  private Optional<Variable> found(Setting setting) {
    return setting.names().stream()
        .filter(environment::containsKey)
        .findFirst()
        .map(name -> new Variable(name, environment.get(name)));
  }

  /** A value and the variables that may supply it, the first one first. */
  private record Setting(String what, List<String> names) {

    Setting(String what, String... names) {
      this(what, List.of(names));
    }

    @Override
    public String toString() {
      return what + " (" + String.join(" or ", names) + ")";
    }
  }

  private record Variable(String name, String value) {

    ConfigurationException refused(String want) {
      return new ConfigurationException(name + " is \"" + value + "\", want " + want);
    }
  }
}
