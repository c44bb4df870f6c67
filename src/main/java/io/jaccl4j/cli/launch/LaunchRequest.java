package io.jaccl4j.cli.launch;

import io.jaccl4j.ConfigurationException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What to launch, wherever.
 *
 * @param backend what the ranks are told of, or empty for the hostfile's choice, else the ring
 * @param startingPort the first port of the ring, or the coordinator's
 * @param connectionsPerIp parallel connections of the ring for each address
 * @param environment more variables for every rank
 * @param directory working directory that every host must have, or empty for this one where there
 *     is one of its name
 * @param command program and arguments
 */
public record LaunchRequest(
    Optional<LaunchBackend> backend,
    int startingPort,
    int connectionsPerIp,
    Map<String, String> environment,
    Optional<String> directory,
    List<String> command) {
  private static final int MAX_PORT = 65535;
  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  /**
   * A request.
   *
   * @throws ConfigurationException if a value is out of range
   */
  public LaunchRequest {
    environment = Collections.unmodifiableMap(new LinkedHashMap<>(environment));
    command = List.copyOf(command);
    require(
        startingPort >= 1 && startingPort <= MAX_PORT,
        "starting port is " + startingPort + ", want 1 to " + MAX_PORT);
    require(
        connectionsPerIp >= 1,
        "connections for each address are " + connectionsPerIp + ", want 1 or more");
    for (String name : environment.keySet()) {
      require(NAME.matcher(name).matches(), "\"" + name + "\" is no name of a variable");
    }
    require(!command.isEmpty(), "no command, want a program and its arguments");
  }

  private static void require(boolean condition, String complaint) {
    if (!condition) {
      throw new ConfigurationException(complaint);
    }
  }
}
