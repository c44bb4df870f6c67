package io.jaccl4j.ring;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * A memory segment of any size as the buffers that channels take, which end at 2 GiB. Made once per
 * operation, so that its many calls allocate nothing. One thread at a time.
 */
final class ByteWindows {
  private static final int WINDOW_SHIFT = 30;
  private static final long WINDOW_BYTES = 1L << WINDOW_SHIFT;

  private final MemorySegment segment;
  private final ByteBuffer[] windows;

  ByteWindows(MemorySegment segment) {
    this.segment = segment;
    windows = new ByteBuffer[Math.toIntExact(Math.ceilDiv(segment.byteSize(), WINDOW_BYTES))];
    for (int i = 0; i < windows.length; i++) {
      long offset = i * WINDOW_BYTES;
      long bytes = Math.min(WINDOW_BYTES, segment.byteSize() - offset);
      windows[i] = segment.asSlice(offset, bytes).asByteBuffer();
    }
  }

  MemorySegment segment() {
    return segment;
  }

  /** A buffer that begins at an offset and has at most so many bytes, at least one. */
  ByteBuffer at(long offset, long bytes) {
    ByteBuffer window = windows[(int) (offset >>> WINDOW_SHIFT)];
    int from = (int) (offset & (WINDOW_BYTES - 1));
    int to = (int) Math.min(window.capacity(), from + bytes);
    return window.clear().position(from).limit(to);
  }
}
