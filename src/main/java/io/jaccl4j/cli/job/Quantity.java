package io.jaccl4j.cli.job;

/** Numbers of things as text. */
public final class Quantity {

  private Quantity() {}

  /** For instance {@code 1 rank}, {@code 4 ranks}, for a noun with a regular plural. */
  public static String of(long number, String noun) {
    return number + " " + noun + (number == 1 ? "" : "s");
  }
}
