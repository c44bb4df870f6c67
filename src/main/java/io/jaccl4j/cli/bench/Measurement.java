package io.jaccl4j.cli.bench;

/**
 * One message size as one rank measured it.
 *
 * @param bytes of the message
 * @param samples number of times the clock was read
 * @param batch operations per sample
 * @param medianNanos of one operation
 * @param p99Nanos of one operation (of a batch's mean, if there are several in a sample)
 * @param copyMedianNanos of one copy of as many bytes in one process
 */
record Measurement(
    long bytes,
    int samples,
    int batch,
    double medianNanos,
    double p99Nanos,
    double copyMedianNanos) {

  /** How many copies an operation costs. */
  double copies() {
    return medianNanos / copyMedianNanos;
  }
}
