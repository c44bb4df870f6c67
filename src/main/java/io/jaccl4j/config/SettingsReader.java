package io.jaccl4j.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import io.jaccl4j.FormationException;
import io.jaccl4j.GroupSettings;
import io.jaccl4j.Topology;
import io.jaccl4j.WireMode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;

/**
 * Reads {@link GroupSettings} from a configuration. Every value comes from the configuration,
 * defaults included.
 */
public final class SettingsReader {

  private static final String ROOT = "jaccl4j";

  private final Config config;

  private SettingsReader(Config config) {
    this.config = config;
  }

  /**
   * Reads the settings under {@code jaccl4j}.
   *
   * @param config a whole configuration, {@code reference.conf} included, as {@code
   *     ConfigFactory.load()} or an actor system has it
   * @return the settings
   * @throws IllegalArgumentException if a value is missing or unusable; names the key, what it is,
   *     what is wanted and where it was set
   * @throws FormationException if the fixed rank is out of range
   */
  public static GroupSettings read(Config config) {
    return new SettingsReader(config).settings();
  }

  /**
   * {@link #read(Config)}, but for the name and the size of the group.
   *
   * @param config a whole configuration, defaults included
   * @param name name of the group
   * @param size number of ranks
   * @return the settings
   */
  public static GroupSettings read(Config config, String name, int size) {
    return read(
        ConfigFactory.parseMap(
                Map.of(path("group.name"), name, path("group.size"), size), "the call")
            .withFallback(config));
  }

  private GroupSettings settings() {
    try {
      return new GroupSettings(
          string("group.name"),
          integer("group.size"),
          automatic("group.rank"),
          string("group.role"),
          string("fabric"),
          choice("topology", Topology.class),
          choice("wire", WireMode.class),
          duration("formation-timeout"),
          duration("operation-timeout"),
          duration("slow-peer-warning"),
          duration("unreachable-timeout"),
          integer("submission-queue-length"),
          new GroupSettings.Idle(
              duration("idle.spin"),
              duration("idle.yield"),
              duration("idle.park"),
              config.getBoolean(path("idle.events"))),
          new GroupSettings.Memory(
              intBytes("memory.slot-bytes"),
              bytes("memory.registered-bytes"),
              Path.of(string("memory.shm-directory"))),
          new GroupSettings.Verbs(
              optional("verbs.library", Path::of),
              config.getStringList(path("verbs.devices")),
              List.of(),
              choice("verbs.queue-pair", GroupSettings.QueuePairType.class),
              automatic("verbs.gid-index"),
              config.getBoolean(path("verbs.pair-wires")),
              config.getBoolean(path("verbs.trace"))),
          new GroupSettings.Tcp(
              string("tcp.interface"),
              integer("tcp.port"),
              integer("tcp.sockets-per-wire"),
              intBytes("tcp.send-buffer-bytes"),
              intBytes("tcp.receive-buffer-bytes")),
          new GroupSettings.Mesh(bytes("mesh.small-bytes")),
          new GroupSettings.Ring(
              integer("ring.wires"),
              bytes("ring.small-bytes"),
              bytes("ring.scatter-small-bytes"),
              config.getBoolean(path("ring.degrade"))),
          new GroupSettings.SideChannel(
              intBytes("side-channel.part-bytes"),
              intBytes("side-channel.max-contribution-bytes"),
              duration("side-channel.resend-interval")));
    } catch (ConfigException e) {
      throw new IllegalArgumentException(describe(e), e);
    } catch (FormationException e) {
      throw new FormationException(e.reason(), located(e.getMessage()), e);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(located(e.getMessage()), e);
    }
  }

  private String string(String key) {
    return config.getString(path(key));
  }

  private int integer(String key) {
    return config.getInt(path(key));
  }

  private Duration duration(String key) {
    return config.getDuration(path(key));
  }

  private long bytes(String key) {
    return config.getBytes(path(key));
  }

  private int intBytes(String key) {
    long value = bytes(key);
    if (value > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          path(key) + " is " + value + ", want at most " + Integer.MAX_VALUE);
    }
    return (int) value;
  }

  private <E extends Enum<E>> E choice(String key, Class<E> type) {
    String value = string(key);
    for (E constant : type.getEnumConstants()) {
      if (constant.name().toLowerCase(Locale.ROOT).equals(value)) {
        return constant;
      }
    }
    throw new IllegalArgumentException(
        path(key)
            + " is \""
            + value
            + "\", want one of "
            + Arrays.toString(type.getEnumConstants()).toLowerCase(Locale.ROOT));
  }

  private <T> Optional<T> optional(String key, Function<String, T> parse) {
    String value = string(key);
    return value.isEmpty() ? Optional.empty() : Optional.of(parse.apply(value));
  }

  /** A number, or "auto" for none. */
  private OptionalInt automatic(String key) {
    String value = string(key);
    if (value.equals("auto")) {
      return OptionalInt.empty();
    }
    try {
      return OptionalInt.of(Integer.parseInt(value));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          path(key) + " is \"" + value + "\", want \"auto\" or a number", e);
    }
  }

  private static String path(String key) {
    return ROOT + "." + key;
  }

  /** HOCON's own message names key, origin, got and want, save for a missing key. */
  private static String describe(ConfigException e) {
    if (e instanceof ConfigException.Missing) {
      return e.getMessage()
          + "; its default is in jaccl4j's reference.conf, so load the configuration with"
          + " ConfigFactory.load() or an actor system";
    }
    return e.getMessage();
  }

  /** Adds where the value was set. A complaint about a value begins with its key. */
  private String located(String complaint) {
    String key = complaint.substring(0, complaint.indexOf(' '));
    return complaint + " (set in " + config.getValue(key).origin().description() + ")";
  }
}
