package io.jaccl4j.collective;

import java.lang.foreign.MemorySegment;

/** All-gather of small blocks. */
final class BruckAllGather extends BruckGather {
  private MemorySegment out;

  BruckAllGather(MeshLinks mesh) {
    super(mesh);
  }

  /** Block {@code p} goes to {@code p * blockBytes} of the output. */
  Collective prepare(MemorySegment in, int blockBytes, MemorySegment newOut, int tag) {
    reset(in, 0, blockBytes, tag);
    out = newOut;
    return this;
  }

  @Override
  protected void finish() {
    for (int rank = 0; rank < mesh.size(); rank++) {
      MemorySegment.copy(
          memoryOf(rank), offsetOf(rank), out, (long) rank * blockBytes(), blockBytes());
    }
  }
}
