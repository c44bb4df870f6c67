package io.jaccl4j.cluster;

import io.jaccl4j.cluster.TestCluster.Node;
import io.jaccl4j.cluster.TestCluster.Options;

/** Starts the core and forms a group of one; exits with 0 if that worked. */
final class CoreStart {
  static final String FORMED = "formed a group of 1";

  private CoreStart() {}

  public static void main(String[] arguments) {
    try (Node node = TestCluster.start(Options.none())) {
      System.out.println("formed a group of " + node.join("starts", 1).group().size());
    }
    System.exit(0);
  }
}
