package io.jaccl4j.cli.bench;

import io.jaccl4j.Session;
import io.jaccl4j.cli.bench.exchange.Exchange;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.HdrHistogram.Histogram;

/**
 * Times an operation: warms up until it no longer gets faster and the compilers rest, then takes
 * samples, with a barrier before each so that no rank is ahead. A sample of short operations is a
 * batch of them, or reading the clock and leaving the barrier would be much of it.
 */
final class OperationTimer {
  /** A sample lasts at least about this long. */
  private static final long SAMPLE_NANOS = 20_000;

  /**
   * The same where ranks outnumber processors: they leave a barrier one after the other, as they
   * get a processor, and that must not be much of a sample.
   */
  private static final long OVERSUBSCRIBED_SAMPLE_NANOS = 1_000_000;

  private static final int MAX_BATCH = 1024;
  private static final int MIN_SAMPLES = 7;
  private static final int MAX_SAMPLES = 200_000;

  /** A warm-up of this many measuring times is enough if the compilers rest. */
  private static final int WARM_UP_LIMIT = 2;

  /** Compilers that are at work longer than this share of a round take the ranks' processors. */
  private static final double BUSY_COMPILERS = 0.1;

  /** They are waited for no longer than this many measuring times. */
  private static final int COMPILERS_LIMIT = 10;

  /**
   * The first warm-up lasts at least this many measuring times, since the compiler has everything
   * to do. Any other lasts at least one: another size may have to be compiled again.
   */
  private static final int FIRST_WARM_UP = 4;

  private static final int ROUNDS_PER_TIME = 10;
  private static final int PROBES = 9;
  private static final int ROUNDS_WITHOUT_GAIN = 3;
  private static final double GAIN = 0.95;
  private static final int MAX_OPERATIONS = 1 << 20;
  private static final int GROWTH = 8;

  private final Session session;
  private final Agreement agreement;
  private final Effort effort;
  private final LongSupplier nanoClock;
  private final long sampleNanosHere;
  private boolean warm;

  OperationTimer(
      Session session, Agreement agreement, Effort effort, int processors, LongSupplier nanoClock) {
    this.session = session;
    this.agreement = agreement;
    this.effort = effort;
    this.nanoClock = nanoClock;
    this.sampleNanosHere = session.size() > processors ? OVERSUBSCRIBED_SAMPLE_NANOS : SAMPLE_NANOS;
  }

  /** Times of the slowest rank. */
  Timing time(Exchange exchange) {
    warmUp(exchange);
    double operationNanos = probe(exchange);
    // Ranks may have been given different numbers of processors.
    int batch = batch(operationNanos, agreement.max(sampleNanosHere));
    int samples = samples(operationNanos, batch);
    Histogram histogram = new Histogram(3);
    for (int sample = 0; sample < samples; sample++) {
      session.barrier();
      histogram.recordValue(nanosOf(exchange, batch));
    }
    return new Timing(
        samples,
        batch,
        agreement.maxNanos((double) histogram.getMinValue() / batch),
        agreement.maxNanos((double) histogram.getValueAtPercentile(50) / batch),
        agreement.maxNanos((double) histogram.getValueAtPercentile(99) / batch));
  }

  /** Rounds of a tenth of the measuring time each. */
  void warmUp(Exchange exchange) {
    long timeNanos = effort.timePerSize().toNanos();
    long roundNanos = timeNanos / ROUNDS_PER_TIME;
    long spentNanos = 0;
    int operations = 1;
    double bestNanos = Double.POSITIVE_INFINITY;
    int roundsWithoutGain = 0;
    long leastNanos = (warm ? 1 : FIRST_WARM_UP) * timeNanos;
    long mostNanos = Math.max(leastNanos, WARM_UP_LIMIT * timeNanos);
    boolean compiling = true;
    while (spentNanos < leastNanos
        || roundsWithoutGain < ROUNDS_WITHOUT_GAIN && spentNanos < mostNanos
        || compiling && spentNanos < COMPILERS_LIMIT * timeNanos) {
      session.barrier();
      long compiledNanos = compilerNanos();
      long slowestNanos = Math.max(1, agreement.max(nanosOf(exchange, operations)));
      spentNanos += slowestNanos;
      compiling = agreement.max(compilerNanos() - compiledNanos) > BUSY_COMPILERS * slowestNanos;
      double nanos = (double) slowestNanos / operations;
      if (slowestNanos < roundNanos / 2 && operations < MAX_OPERATIONS) {
        long fullRound = (long) (roundNanos / nanos);
        operations = (int) Math.clamp(fullRound, operations + 1L, (long) operations * GROWTH);
        operations = Math.min(operations, MAX_OPERATIONS);
      } else {
        roundsWithoutGain = nanos < GAIN * bestNanos ? 0 : roundsWithoutGain + 1;
      }
      bestNanos = Math.min(bestNanos, nanos);
    }
    warm = true;
  }

  private static long compilerNanos() {
    CompilationMXBean compilers = ManagementFactory.getCompilationMXBean();
    return compilers == null || !compilers.isCompilationTimeMonitoringSupported()
        ? 0
        : TimeUnit.MILLISECONDS.toNanos(compilers.getTotalCompilationTime());
  }

  /** What an operation takes on the slowest rank, by a median, which no interruption moves. */
  private double probe(Exchange exchange) {
    Histogram histogram = new Histogram(3);
    for (int i = 0; i < PROBES; i++) {
      session.barrier();
      histogram.recordValue(nanosOf(exchange, 1));
    }
    return Math.max(1, agreement.max(histogram.getValueAtPercentile(50)));
  }

  private int batch(double operationNanos, long sampleNanos) {
    int batch = Math.clamp((long) (sampleNanos / operationNanos), 1, MAX_BATCH);
    return effort.iterations() == 0
        ? batch
        : Math.clamp(effort.iterations() / MIN_SAMPLES, 1, batch);
  }

  private int samples(double operationNanos, int batch) {
    if (effort.iterations() > 0) {
      return Math.ceilDiv(effort.iterations(), batch);
    }
    double held = effort.timePerSize().toNanos() / (operationNanos * batch);
    return Math.clamp((long) held, MIN_SAMPLES, MAX_SAMPLES);
  }

  private long nanosOf(Exchange exchange, int times) {
    long startNanos = nanoClock.getAsLong();
    for (int i = 0; i < times; i++) {
      exchange.run();
    }
    return nanoClock.getAsLong() - startNanos;
  }
}
