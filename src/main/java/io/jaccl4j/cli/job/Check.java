package io.jaccl4j.cli.job;

/**
 * A result of the group beside the result of one process.
 *
 * @param subject what was compared
 * @param got the group's result
 * @param want the result of one process
 * @param ok whether they agree
 */
public record Check(String subject, String got, String want, boolean ok) {

  /** Equal numbers. */
  public static Check exact(String subject, long got, long want) {
    return new Check(subject, Long.toString(got), Long.toString(want), got == want);
  }

  /** The same bits. */
  public static Check exact(String subject, double got, double want) {
    return new Check(
        subject,
        Double.toString(got),
        Double.toString(want),
        Double.doubleToLongBits(got) == Double.doubleToLongBits(want));
  }

  /** Equal up to a relative difference. */
  public static Check close(String subject, double got, double want, double tolerance) {
    return new Check(
        subject,
        Double.toString(got),
        Double.toString(want),
        relativeDifference(got, want) <= tolerance);
  }

  /** The difference in parts of the larger magnitude; 0 if equal, NaN if either is NaN. */
  public static double relativeDifference(double got, double want) {
    return got == want ? 0 : Math.abs(got - want) / Math.max(Math.abs(got), Math.abs(want));
  }
}
