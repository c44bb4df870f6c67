package io.jaccl4j.process;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Compares results with what they must be, bit for bit. */
final class Checks {

  private Checks() {}

  static void same(String what, MemorySegment got, MemorySegment want) {
    long at = got.mismatch(want);
    if (at < 0) {
      return;
    }
    String difference =
        at < Math.min(got.byteSize(), want.byteSize())
            ? "byte %d is %d, want %d"
                .formatted(
                    at, got.get(ValueLayout.JAVA_BYTE, at), want.get(ValueLayout.JAVA_BYTE, at))
            : "%d bytes, want %d".formatted(got.byteSize(), want.byteSize());
    throw new AssertionError(what + ": " + difference);
  }
}
