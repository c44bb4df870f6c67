package io.jaccl4j.cli.bench;

/** What a comparison measures at every size. */
interface Contender {

  /** Its name in results. */
  String label();

  /** Runs the operation at one size until it has settled; all ranks call it. */
  void warmUp(long bytes) throws InterruptedException;

  /** Times the operation at one size; all ranks call it. */
  Timing time(long bytes) throws InterruptedException;
}
