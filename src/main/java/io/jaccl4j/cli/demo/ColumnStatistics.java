package io.jaccl4j.cli.demo;

/**
 * What is known of one column.
 *
 * @param count number of values
 * @param mean their mean
 * @param variance of the population
 * @param min smallest value
 * @param max largest value
 */
public record ColumnStatistics(long count, double mean, double variance, double min, double max) {

  /** The value in standard deviations from the mean. */
  double standardise(double value) {
    return (value - mean) / Math.sqrt(variance);
  }
}
