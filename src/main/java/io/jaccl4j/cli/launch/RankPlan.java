package io.jaccl4j.cli.launch;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One rank to start.
 *
 * @param host name to reach its machine with ssh, or empty for this one
 * @param environment what it is told
 * @param files what it can read
 * @param directory where it works
 * @param directoryRequired whether it is an error if there is none; else it works where it is put
 * @param command program and arguments
 */
record RankPlan(
    int rank,
    Optional<String> host,
    Map<String, String> environment,
    List<RankFile> files,
    Optional<String> directory,
    boolean directoryRequired,
    List<String> command) {

  RankPlan {
    environment = Collections.unmodifiableMap(new LinkedHashMap<>(environment));
    files = List.copyOf(files);
    command = List.copyOf(command);
  }

  /** {@code rank 2 (studio-3)}. */
  String label() {
    return "rank " + rank + " (" + host.orElse("this machine") + ")";
  }
}
