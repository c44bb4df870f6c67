package io.jaccl4j.fabric.verbs;

import java.util.concurrent.atomic.AtomicInteger;

/** Counts what the library has made for this process and not got back. */
final class NativeObjects {
  private static final AtomicInteger LIVE = new AtomicInteger();

  private NativeObjects() {}

  static int live() {
    return LIVE.get();
  }

  static void made() {
    LIVE.incrementAndGet();
  }

  static void destroyed() {
    LIVE.decrementAndGet();
  }
}
