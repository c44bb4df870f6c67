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
   * The backend that a wish leads to. Whatever speaks of other ranks counts as configured, complete
   * or not.
   *
   * @param wanted {@link Backend#ANY} for the first one that is configured
   * @param hasSideChannel whether the metadata goes another way than JACCL's TCP coordinator
   * @return {@link Backend#RING} or {@link Backend#JACCL}, or empty if nothing is configured
   * @throws ConfigurationException if it cannot be told which one is meant
   */
  Optional<Backend> configured(Backend wanted, boolean hasSideChannel);

  /**
   * Forms the group that the environment describes; on the caller's thread, within the configured
   * deadline.
   *
   * @param backend as {@link #configured} tells it
   * @param sideChannel carries the metadata instead of JACCL's TCP coordinator
   * @return the group
   * @throws ConfigurationException if the configuration is incomplete or wrong
   * @throws FormationException if the group does not form
   */
  Group form(Backend backend, Optional<AllGather.Factory> sideChannel);

  /**
   * What is missing for a backend.
   *
   * @param backend what carries the group
   * @param hasSideChannel whether JACCL's coordinator is not needed
   * @return the refusal that names it
   */
  ConfigurationException missing(Backend backend, boolean hasSideChannel);

  /** {@return a group of this process alone} */
  Group alone();
}
