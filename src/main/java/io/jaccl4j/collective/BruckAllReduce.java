package io.jaccl4j.collective;

import io.jaccl4j.reduce.ReduceKernel;
import java.lang.foreign.MemorySegment;

/** All-reduce of small buffers: collects all inputs, then reduces them in rank order. */
final class BruckAllReduce extends BruckGather {
  private ReduceKernel kernel;
  private int elementBytes;
  private MemorySegment out;
  private long base;

  BruckAllReduce(MeshLinks mesh) {
    super(mesh);
  }

  /** Reduces {@code bytes} from {@code base} on, at the same place in both buffers. */
  Collective prepare(
      ReduceKernel newKernel,
      int newElementBytes,
      MemorySegment newIn,
      MemorySegment newOut,
      long newBase,
      int bytes,
      int tag) {
    reset(newIn, newBase, bytes, tag);
    kernel = newKernel;
    elementBytes = newElementBytes;
    out = newOut;
    base = newBase;
    return this;
  }

  @Override
  protected void finish() {
    long elements = blockBytes() / elementBytes;
    kernel.reduce(out, base, memoryOf(0), offsetOf(0), memoryOf(1), offsetOf(1), elements);
    for (int rank = 2; rank < mesh.size(); rank++) {
      kernel.reduce(out, base, out, base, memoryOf(rank), offsetOf(rank), elements);
    }
  }
}
