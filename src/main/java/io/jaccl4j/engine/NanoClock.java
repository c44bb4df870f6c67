package io.jaccl4j.engine;

/** Where time comes from. */
@FunctionalInterface
public interface NanoClock {

  /** The JVM's monotonic clock. */
  NanoClock SYSTEM = System::nanoTime;

  /** Nanoseconds from an arbitrary origin; compare by difference only. */
  long nanoTime();
}
