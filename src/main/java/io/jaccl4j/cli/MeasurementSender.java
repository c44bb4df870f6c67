package io.jaccl4j.cli;

import io.jaccl4j.cli.bench.CollectiveBenchmark;
import io.jaccl4j.cli.bench.Measurement;
import java.util.function.Consumer;

/** Tells the parent what a rank measures; the numbers, which all ranks have, by rank 0 alone. */
final class MeasurementSender implements CollectiveBenchmark.Listener {
  private final int rank;
  private final Consumer<RankMessage> parent;

  MeasurementSender(int rank, Consumer<RankMessage> parent) {
    this.rank = rank;
    this.parent = parent;
  }

  @Override
  public void measuring(String what) {
    parent.accept(new RankMessage.Doing(what));
  }

  @Override
  public void measured(Measurement measurement) {
    if (rank == 0) {
      parent.accept(new RankMessage.Measured(measurement));
    }
  }
}
