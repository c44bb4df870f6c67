package io.jaccl4j;

import java.util.Optional;

/**
 * Makes the groups of {@link Jaccl}: found by {@link java.util.ServiceLoader}, so that the API
 * knows nothing of what is below it.
 */
public interface GroupInitializer {

  /**
   * Whether this machine has what a backend needs, configured or not. Never throws.
   *
   * @param backend what carries the group
   * @return why not, with the remedy; empty if it has
   */
  Optional<String> unavailableBecause(Backend backend);

  /**
   * Forms the group that the environment describes; on the caller's thread, within the configured
   * deadline.
   *
   * @param backend {@link Backend#ANY} for the first one that is configured
   * @param sideChannel carries the metadata instead of JACCL's TCP coordinator
   * @return the group, or empty if nothing is configured
   * @throws ConfigurationException if something is configured, but incomplete or wrong
   * @throws FormationException if the group does not form
   */
  Optional<Group> form(Backend backend, Optional<AllGather.Factory> sideChannel);

  /**
   * What is missing for a backend.
   *
   * @param backend what carries the group
   * @return the refusal that names it
   */
  ConfigurationException missing(Backend backend);

  /** {@return a group of this process alone} */
  Group alone();
}
