package io.jaccl4j;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** What carries a group that {@link Jaccl#init} makes, by the names of MLX. */
public enum Backend {
  /** The first one that is configured. */
  ANY,
  /** MLX's ring over TCP. */
  RING,
  /** RDMA, as MLX's JACCL. */
  JACCL;

  /**
   * {@return the backend of a name}
   *
   * @param name {@code any}, {@code ring} or {@code jaccl}
   * @throws ConfigurationException if there is none of that name; tells all names
   */
  public static Backend named(String name) {
    for (Backend backend : values()) {
      if (backend.label().equals(name)) {
        return backend;
      }
    }
    throw new ConfigurationException(
        "backend is \""
            + name
            + "\", want one of "
            + Arrays.stream(values()).map(Backend::label).collect(Collectors.joining(", ")));
  }

  /** {@return its name} */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
