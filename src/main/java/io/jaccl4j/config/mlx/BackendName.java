package io.jaccl4j.config.mlx;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** What carries a group, as files and the environment name it. */
public enum BackendName {
  /** MLX's ring over TCP. */
  TCP("tcp", "ring"),
  /** The same verbs as {@link #MLX}, between ranks of this library alone. */
  THUNDERBOLT("thunderbolt", "tb"),
  /** Verbs as MLX's JACCL uses them, so that ranks of MLX can be in the group. */
  MLX("mlx", "jaccl", "mlx-jaccl");

  private final List<String> names;

  BackendName(String... names) {
    this.names = List.of(names);
  }

  /** The name that is written. */
  public String canonicalName() {
    return names.getFirst();
  }

  /** The backend of any of its names. */
  public static Optional<BackendName> named(String name) {
    return Arrays.stream(values()).filter(backend -> backend.names.contains(name)).findFirst();
  }

  /** All names, for complaints. */
  static String choices() {
    return Arrays.stream(values())
        .flatMap(backend -> backend.names.stream())
        .collect(Collectors.joining(", "));
  }
}
