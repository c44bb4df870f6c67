package io.jaccl4j.benchmark.start;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.io.File;
import java.util.List;
import java.util.stream.Collectors;

/** What processes do from their start on; the configurations are the samples of {@code conf}. */
enum StartWay {
  PEKKO_FIXED("Pekko, fixed addresses", false, false),
  GROUP_FIXED("group, fixed addresses", true, false),
  PEKKO_BOOTSTRAP("Pekko, bootstrap", false, true),
  GROUP_BOOTSTRAP("group, bootstrap", true, true);

  private final String title;
  private final boolean formsGroup;
  private final boolean bootstraps;

  StartWay(String title, boolean formsGroup, boolean bootstraps) {
    this.title = title;
    this.formsGroup = formsGroup;
    this.bootstraps = bootstraps;
  }

  String title() {
    return title;
  }

  /** Whether the processes become ranks, and not members alone. */
  boolean formsGroup() {
    return formsGroup;
  }

  /** Whether the processes discover each other. */
  boolean bootstraps() {
    return bootstraps;
  }

  StartPhase lastPhase() {
    return formsGroup ? StartPhase.READY : StartPhase.MEMBERS_UP;
  }

  /**
   * The configuration of one process.
   *
   * @param ports of all processes: the cluster's, or those of the management endpoints
   */
  Config config(List<Integer> ports, int number) {
    return ConfigFactory.parseString(bootstraps ? endpoints(ports, number) : seeds(ports, number))
        .withFallback(ConfigFactory.parseString("jaccl4j.group.size = %d".formatted(ports.size())))
        .withFallback(
            ConfigFactory.parseFile(
                new File(bootstraps ? "conf/bootstrap-rank.conf" : "conf/demo-rank.conf")))
        .withFallback(
            ConfigFactory.parseResources(
                bootstraps ? "io/jaccl4j/management/bootstrap.conf" : "io/jaccl4j/cli/rank.conf"))
        .withFallback(ConfigFactory.defaultReference())
        .resolve();
  }

  private static String seeds(List<Integer> ports, int number) {
    return """
        pekko.remote.artery.canonical.port = %d
        pekko.cluster.seed-nodes = [%s]
        """
        .formatted(
            ports.get(number),
            ports.stream()
                .limit(2)
                .map(port -> "\"pekko://jaccl4j@127.0.0.1:" + port + '"')
                .collect(Collectors.joining(", ")));
  }

  private static String endpoints(List<Integer> ports, int number) {
    return """
        pekko.management.http.port = %d
        pekko.discovery.config.services.jaccl4j.endpoints = [%s]
        """
        .formatted(
            ports.get(number),
            ports.stream()
                .map(port -> "{ host = \"127.0.0.1\", port = " + port + " }")
                .collect(Collectors.joining(", ")));
  }
}
