package io.jaccl4j.cli.bench;

/**
 * Times of one operation.
 *
 * @param samples number of times the clock was read
 * @param batch operations in a sample
 * @param minNanos least mean of a sample
 * @param medianNanos of the samples' means
 * @param p99Nanos of the samples' means
 */
public record Timing(int samples, int batch, double minNanos, double medianNanos, double p99Nanos) {

  /** Operations that were measured. */
  public long operations() {
    return (long) samples * batch;
  }
}
