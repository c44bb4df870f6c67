package io.jaccl4j.fabric.tcp;

/** Whoever a selected socket belongs to while connections are made. */
@FunctionalInterface
interface Party {

  /** The socket can be read, written, or is connected. */
  void onReady(long nowNanos);
}
