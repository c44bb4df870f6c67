package io.jaccl4j.testing.emulated;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The receive slots of one end of a link. A slot that holds no message is full of poison: whoever
 * reads it too early or too late computes with that, and whoever writes to it is noticed. Guarded
 * by the network.
 */
final class ReceiveSlots {
  /** A quiet NaN of an odd value in every float type, and an unlikely integer. */
  private static final byte POISON = (byte) 0x7F;

  private static final long GUARD_BYTES = 64;

  /** Where a message begins in its slot. */
  static final long MESSAGE_OFFSET = GUARD_BYTES;

  private final Arena arena = Arena.ofShared();
  private final Deque<MemorySegment> free = new ArrayDeque<>();
  private final MemorySegment poison;
  private final int slotBytes;
  private final LiveObjects live;
  private int made;

  ReceiveSlots(int slotBytes, LiveObjects live) {
    this.slotBytes = slotBytes;
    this.live = live;
    this.poison = arena.allocate(slotBytes + 2 * GUARD_BYTES, GUARD_BYTES).fill(POISON);
  }

  MemorySegment take() {
    if (!free.isEmpty()) {
      return free.pop();
    }
    made++;
    live.made(LiveObjects.Kind.RECEIVE_SLOT);
    return arena.allocate(slotBytes + 2 * GUARD_BYTES, GUARD_BYTES).fill(POISON);
  }

  void fill(MemorySegment slot, byte[] message) {
    MemorySegment.copy(message, 0, slot, ValueLayout.JAVA_BYTE, MESSAGE_OFFSET, message.length);
  }

  boolean holds(MemorySegment slot, byte[] message) {
    return slot.asSlice(MESSAGE_OFFSET, message.length).mismatch(MemorySegment.ofArray(message))
        == -1;
  }

  void giveBack(MemorySegment slot, int messageBytes) {
    slot.asSlice(MESSAGE_OFFSET, messageBytes).fill(POISON);
    free.push(slot);
  }

  boolean isUntouched(MemorySegment slot) {
    return slot.mismatch(poison) == -1;
  }

  void close() {
    arena.close();
    live.released(LiveObjects.Kind.RECEIVE_SLOT, made);
  }
}
