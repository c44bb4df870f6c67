package io.jaccl4j.cli.demo;

import io.jaccl4j.Session;
import io.jaccl4j.cli.job.RankJob;
import io.jaccl4j.cli.job.StepResult;
import io.jaccl4j.cli.job.TimeFormat;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** The computation that the demo runs on every rank, step by step. */
public final class DemoJob implements RankJob {
  private final Dataset shard;
  private final DemoReport report;
  private final LongSupplier nanoClock;

  DemoJob(Dataset shard, SingleProcess expected, LongSupplier nanoClock) {
    this.shard = Objects.requireNonNull(shard);
    this.report = new DemoReport(expected);
    this.nanoClock = nanoClock;
  }

  /** Reads the rank's shard, and the whole table for the results to expect. */
  public static DemoJob prepare(int rank, int size) {
    return new DemoJob(
        Dataset.readShard(rank, size), new SingleProcess(Dataset.readAll()), System::nanoTime);
  }

  @Override
  public void run(Session session, Consumer<StepResult> results) {
    ShardExchange exchange = new ShardExchange(session, shard);
    long[] rowCounts = exchange.gatherRowCounts();
    results.accept(report.split(rowCounts));

    List<ColumnStatistics> statistics = ShardStatistics.compute(session, shard);
    results.accept(report.statistics(session.size(), shard.columns(), statistics));

    results.accept(
        report.descent(GradientDescent.compute(session, shard, statistics), shard.columns()));

    float[] histogramBlock = exchange.scatterHistogram(statistics.getLast());
    long previousChecksum = exchange.passChecksumAround();
    results.accept(
        report.otherCollectives(
            session.rank(), rowCounts, histogramBlock, previousChecksum, barrierNanos(session)));
  }

  private String barrierNanos(Session session) {
    long startNanos = nanoClock.getAsLong();
    session.barrier();
    return TimeFormat.nanos(nanoClock.getAsLong() - startNanos);
  }
}
