package io.jaccl4j.cli;

import io.jaccl4j.config.mlx.MlxEnvironment;
import io.jaccl4j.config.mlx.OwnRank;
import io.jaccl4j.config.mlx.RingConfiguration;

/** A rank that says what its environment describes. */
final class LaunchedProgram {
  private LaunchedProgram() {}

  public static void main(String[] arguments) {
    RingConfiguration ring = MlxEnvironment.ofProcess().requireRing(OwnRank.ofThisMachine());
    System.out.println("rank " + ring.rank() + " of " + ring.hosts().addresses());
  }
}
