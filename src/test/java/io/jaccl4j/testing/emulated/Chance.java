package io.jaccl4j.testing.emulated;

/**
 * Random choices that depend on the seed and on what is chosen, but not on which thread asks first:
 * the tenth message of a wire is delayed alike in every run with the same seed.
 */
final class Chance {
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private final long seed;

  Chance(long seed) {
    this.seed = seed;
  }

  /** A number in {@code 0 .. bound - 1} for this question. */
  int below(int bound, Question question, long place, long number) {
    long hash = mix(mix(mix(seed + question.ordinal() * GOLDEN) ^ place) ^ number);
    return (int) Long.remainderUnsigned(hash, bound);
  }

  /** What is chosen, so that equal places draw different numbers. */
  enum Question {
    DELIVERY_DELAY,
    SEND_TIMING,
    COMPLETION_DELAY,
    FIRST_LINK,
    LINK_STEP
  }

  /** The finalizer of SplitMix64. */
  private static long mix(long z) {
    long mixed = z + GOLDEN;
    mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
    return mixed ^ (mixed >>> 31);
  }
}
