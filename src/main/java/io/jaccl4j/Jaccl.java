package io.jaccl4j;

import java.util.Optional;
import java.util.ServiceLoader;

/**
 * Groups as MLX's {@code init} makes them: from the environment, without a cluster. MLX's variables
 * and files are read as they are; ranks of MLX may be in the group.
 *
 * <p>A group is kept per backend, and {@link Backend#ANY} is whichever was formed first: to ask
 * again gives the same group, as long as it is neither closed nor failed. For any thread; one forms
 * a group at a time, the others wait for it.
 *
 * <p>Only where nothing speaks of other ranks is there a group of this process alone, and only for
 * who is not strict. It is nobody's default.
 *
 * {@snippet file="io/jaccl4j/javadoc/JacclExample.java" region="init"}
 */
public final class Jaccl {
  private static final GroupCache GROUPS = new GroupCache(Jaccl::initializer);

  private Jaccl() {}

  /**
   * {@link #init(boolean, Backend)}, not strict, with any backend.
   *
   * @return the group
   */
  public static Group init() {
    return init(false, Backend.ANY);
  }

  /**
   * {@return the group that the environment describes}
   *
   * @param strict whether it is an error if nothing is configured; otherwise the group is one of
   *     this process alone
   * @param backend what carries the group
   * @throws ConfigurationException if nothing is configured and strict; or, always, if something is
   *     configured, but incomplete or wrong; names the variables
   * @throws FormationException if the group does not form in time
   */
  public static Group init(boolean strict, Backend backend) {
    return init(strict, backend, Optional.empty());
  }

  /**
   * {@link #init(boolean, Backend)} by a name: {@code any}, {@code ring} or {@code jaccl}.
   *
   * @param strict whether it is an error if nothing is configured
   * @param backend what carries the group
   * @return the group
   */
  public static Group init(boolean strict, String backend) {
    return init(strict, Backend.named(backend));
  }

  /**
   * {@link #init(boolean, Backend)} with metadata over a side channel of the caller's: a
   * coordinator is then not needed.
   *
   * @param strict whether it is an error if nothing is configured
   * @param backend what carries the group
   * @param sideChannel carries the metadata
   * @return the group
   */
  public static Group init(boolean strict, Backend backend, AllGather.Factory sideChannel) {
    return init(strict, backend, Optional.of(sideChannel));
  }

  /**
   * {@return whether this machine has what a backend needs, configured or not} Never throws.
   *
   * @param backend what carries the group
   */
  public static boolean isAvailable(Backend backend) {
    return initializer().unavailableBecause(backend).isEmpty();
  }

  private static Group init(
      boolean strict, Backend backend, Optional<AllGather.Factory> sideChannel) {
    return GROUPS.get(strict, backend, sideChannel);
  }

  private static GroupInitializer initializer() {
    return ServiceLoader.load(GroupInitializer.class, Jaccl.class.getClassLoader())
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "no "
                        + GroupInitializer.class.getName()
                        + " on the class path; is the jar complete, its META-INF/services included?"));
  }
}
