package io.jaccl4j.ring;

import java.time.Duration;
import java.util.Objects;
import java.util.function.LongSupplier;

/**
 * How a ring connects and works. Immutable. {@code key} and {@code extensions} must be the same on
 * all ranks.
 *
 * @param connectTimeout until all connections to both neighbours must be there
 * @param operationTimeout from the submission of an operation until it must be complete
 * @param spin how long the ring's thread keeps polling its sockets in vain, giving way to other
 *     threads, before it sleeps on them; zero to sleep at once
 * @param key a secret that both ends of every connection prove to know before data flows, or null
 *     for connections without proof, which are MLX's bare ones without extensions. It protects
 *     against strangers that connect, not against someone who can change packets: data is neither
 *     signed nor encrypted
 * @param extensions whether to have the operations that MLX's ring lacks: {@code sumScatter},
 *     {@code barrier}, and {@code send} and {@code recv} between ranks that are not neighbours; and
 *     a shorter way for small blocks. Only if every rank is of this library: every connection then
 *     begins with an introduction
 * @param verbose whether the progress of connecting is logged for people, and not for debugging
 *     alone
 * @param nanoClock where time comes from
 */
public record RingOptions(
    Duration connectTimeout,
    Duration operationTimeout,
    Duration spin,
    byte[] key,
    boolean extensions,
    boolean verbose,
    LongSupplier nanoClock) {
  private static final Duration DEFAULT_SPIN = Duration.ofMillis(1);

  public RingOptions {
    requirePositive("connect timeout", connectTimeout);
    requirePositive("operation timeout", operationTimeout);
    Objects.requireNonNull(spin);
    Objects.requireNonNull(nanoClock);
    if (spin.isNegative()) {
      throw new IllegalArgumentException("spin of a ring is " + spin + ", want 0 or a duration");
    }
    if (key != null && key.length == 0) {
      throw new IllegalArgumentException(
          "key of a ring is empty; give a secret, or none for connections without proof");
    }
    key = key == null ? null : key.clone();
  }

  /** Connections and operations as MLX has them, on the system's clock. */
  public static RingOptions of(Duration connectTimeout, Duration operationTimeout) {
    return new RingOptions(
        connectTimeout, operationTimeout, DEFAULT_SPIN, null, false, false, System::nanoTime);
  }

  /** A copy of the key, or null. */
  @Override
  public byte[] key() {
    return key == null ? null : key.clone();
  }

  /** The same options with another time to spin. */
  public RingOptions withSpin(Duration newSpin) {
    return new RingOptions(
        connectTimeout, operationTimeout, newSpin, key, extensions, verbose, nanoClock);
  }

  /** The same options with another key, or none. */
  public RingOptions withKey(byte[] newKey) {
    return new RingOptions(
        connectTimeout, operationTimeout, spin, newKey, extensions, verbose, nanoClock);
  }

  /** The same options with or without the operations that MLX's ring lacks. */
  public RingOptions withExtensions(boolean newExtensions) {
    return new RingOptions(
        connectTimeout, operationTimeout, spin, key, newExtensions, verbose, nanoClock);
  }

  /** The same options with or without progress in the log. */
  public RingOptions withVerbose(boolean newVerbose) {
    return new RingOptions(
        connectTimeout, operationTimeout, spin, key, extensions, newVerbose, nanoClock);
  }

  /** The same options on another clock. */
  public RingOptions withNanoClock(LongSupplier newNanoClock) {
    return new RingOptions(
        connectTimeout, operationTimeout, spin, key, extensions, verbose, newNanoClock);
  }

  private static void requirePositive(String what, Duration value) {
    if (value == null || !value.isPositive()) {
      throw new IllegalArgumentException(
          what + " of a ring is " + value + ", want a positive duration");
    }
  }

  /** Without the key. */
  @Override
  public String toString() {
    return "RingOptions[connectTimeout="
        + connectTimeout
        + ", operationTimeout="
        + operationTimeout
        + ", spin="
        + spin
        + ", "
        + (key == null ? "no key" : "with a key")
        + ", extensions="
        + extensions
        + "]";
  }
}
