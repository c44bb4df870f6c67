package io.jaccl4j.collective;

import io.jaccl4j.Dtype;
import io.jaccl4j.ReduceOp;
import java.lang.foreign.MemorySegment;

/** The operations of a group of one. */
public final class LoneAlgorithms implements Algorithms {
  private final LoneCopy copy = new LoneCopy();
  private final Traffic traffic = new Traffic();

  @Override
  public Collective allReduce(
      ReduceOp op, Dtype dtype, MemorySegment in, MemorySegment out, int tag) {
    return copy.prepare(in, out);
  }

  @Override
  public Collective allGather(MemorySegment in, MemorySegment out, int tag) {
    return copy.prepare(in, out);
  }

  @Override
  public Collective sumScatter(Dtype dtype, MemorySegment in, MemorySegment out, int tag) {
    return copy.prepare(in, out);
  }

  @Override
  public Collective broadcast(MemorySegment data, int root, int tag) {
    return copy.prepare(data, data);
  }

  @Override
  public Collective reduce(
      ReduceOp op, Dtype dtype, MemorySegment in, MemorySegment out, int root, int tag) {
    return copy.prepare(in, out);
  }

  @Override
  public Collective gather(MemorySegment in, MemorySegment out, int root, int tag) {
    return copy.prepare(in, out);
  }

  @Override
  public Collective scatter(MemorySegment in, MemorySegment out, int root, int tag) {
    return copy.prepare(in, out);
  }

  @Override
  public Collective allToAll(MemorySegment in, MemorySegment out, int tag) {
    return copy.prepare(in, out);
  }

  @Override
  public boolean reaches(int peer) {
    return false;
  }

  @Override
  public Collective send(MemorySegment data, int peer, int tag) {
    throw new IllegalStateException("a group of one has no peers");
  }

  @Override
  public Collective receive(MemorySegment data, int peer, int tag) {
    throw new IllegalStateException("a group of one has no peers");
  }

  @Override
  public Collective barrier(int tag) {
    return copy.prepare(MemorySegment.NULL, MemorySegment.NULL);
  }

  @Override
  public Traffic traffic() {
    return traffic;
  }

  @Override
  public String describe() {
    return "alone, operations copy";
  }
}
