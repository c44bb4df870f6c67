package io.jaccl4j.cli.launch;

import java.util.Arrays;
import java.util.stream.Collectors;

/** What the ranks are told of, by the names of {@code mlx.launch}. */
public enum LaunchBackend {
  /** MLX's TCP ring, and JACCL as well where every host has devices. */
  ANY("any"),
  /** MLX's TCP ring. */
  RING("ring"),
  /** JACCL, a mesh if there can be one. */
  JACCL("jaccl"),
  /** JACCL, a ring if there can be one. */
  JACCL_RING("jaccl-ring");

  private final String name;

  LaunchBackend(String name) {
    this.name = name;
  }

  /**
   * The backend of a name.
   *
   * @throws IllegalArgumentException if there is none; lists the names
   */
  public static LaunchBackend named(String name) {
    return Arrays.stream(values())
        .filter(backend -> backend.name.equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "backend is \""
                        + name
                        + "\", want "
                        + Arrays.stream(values())
                            .map(LaunchBackend::toString)
                            .collect(Collectors.joining(", "))));
  }

  @Override
  public String toString() {
    return name;
  }
}
