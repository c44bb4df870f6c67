package io.jaccl4j.testing;

import io.jaccl4j.Session;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * Buffers with guard bytes on both sides, from a rank's registered memory or from an arena. For one
 * thread at a time.
 */
public final class GuardedBuffers {
  private static final int GUARD_BYTES = 64;
  private static final byte GUARD = (byte) 0xA5;

  private final Session session;
  private final Arena arena;
  private final boolean registered;
  private final List<MemorySegment> guards = new ArrayList<>();

  /** Buffers of a rank; from the arena unless registered. */
  public GuardedBuffers(Session session, Arena arena, boolean registered) {
    this.session = session;
    this.arena = arena;
    this.registered = registered;
  }

  /** Whose buffers these are. */
  public Session session() {
    return session;
  }

  /** Makes a buffer of zeros. */
  public MemorySegment zeros(long bytes) {
    long wholeBytes = bytes + 2 * GUARD_BYTES;
    MemorySegment whole =
        registered ? session.allocate(wholeBytes) : arena.allocate(wholeBytes, GUARD_BYTES);
    guards.add(whole.asSlice(0, GUARD_BYTES).fill(GUARD));
    guards.add(whole.asSlice(GUARD_BYTES + bytes).fill(GUARD));
    return whole.asSlice(GUARD_BYTES, bytes);
  }

  /** Makes a copy. */
  public MemorySegment copyOf(MemorySegment data) {
    return zeros(data.byteSize()).copyFrom(data);
  }

  /** Whether no guard byte changed. */
  public boolean areIntact() {
    for (MemorySegment guard : guards) {
      for (long i = 0; i < guard.byteSize(); i++) {
        if (guard.get(ValueLayout.JAVA_BYTE, i) != GUARD) {
          return false;
        }
      }
    }
    return true;
  }
}
