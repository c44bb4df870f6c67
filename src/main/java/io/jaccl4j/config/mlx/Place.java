package io.jaccl4j.config.mlx;

import io.jaccl4j.ConfigurationException;

/**
 * Where a value stands.
 *
 * @param origin the file, or what else the text came from
 * @param line from 1
 * @param column from 1
 */
record Place(String origin, int line, int column) {

  ConfigurationException error(String complaint) {
    return new ConfigurationException(this + ": " + complaint);
  }

  @Override
  public String toString() {
    return origin + ":" + line + ":" + column;
  }
}
