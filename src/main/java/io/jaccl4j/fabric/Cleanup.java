package io.jaccl4j.fabric;

import java.util.List;

/** Runs steps to the end whatever fails: how a fabric gives back what it holds. */
public final class Cleanup {
  private Cleanup() {}

  /** Runs all; throws the first failure with the others attached. */
  public static void runAll(List<? extends Runnable> steps) {
    RuntimeException first = null;
    for (Runnable step : steps) {
      try {
        step.run();
      } catch (RuntimeException e) {
        if (first == null) {
          first = e;
        } else {
          first.addSuppressed(e);
        }
      }
    }
    if (first != null) {
      throw first;
    }
  }
}
