package io.jaccl4j.ring;

/** How MLX divides an operation into parts that go around the ring at the same time. */
final class Parts {
  /** Below this, per part and rank of a reduction, a further part is not worth it. */
  private static final long PART_BYTES = 256 << 10;

  /** Below this a transfer does not use a further connection. */
  private static final long STRIPE_BYTES = 1024;

  private Parts() {}

  /** Parts of an all-reduce: at most one per connection and direction. */
  static int reductionParts(long bytes, int ranks, int connections) {
    return parts(bytes / (ranks * PART_BYTES), connections);
  }

  /** Parts of an all-gather to which every rank contributes so many bytes. */
  static int gatherParts(long bytes, int connections) {
    return parts(bytes / PART_BYTES, connections);
  }

  private static int parts(long wanted, int connections) {
    return (int) Math.clamp(wanted, 1, 2L * connections);
  }

  /** Bytes that each connection carries of a transfer between neighbours, the last one less. */
  static long stripeBytes(long bytes, int connections) {
    return Math.max(STRIPE_BYTES, Math.ceilDiv(bytes, (long) connections));
  }

  /** The pair of connections of a part. */
  static int pair(int part) {
    return part / 2;
  }

  /** Which neighbour a part is sent to; it comes from the other one. */
  static Side destination(int part) {
    return part % 2 == 0 ? Side.LEFT : Side.RIGHT;
  }

  /** How rank numbers change from one segment of a part to the next: upwards if sent down. */
  static int step(Side destination) {
    return destination == Side.LEFT ? 1 : -1;
  }
}
