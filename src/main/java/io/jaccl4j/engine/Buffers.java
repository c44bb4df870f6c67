package io.jaccl4j.engine;

import io.jaccl4j.Dtype;
import io.jaccl4j.InvalidBufferException;
import java.lang.foreign.MemorySegment;

/** Refuses buffers that an operation cannot work on, before anything is sent. */
final class Buffers {
  private final Thread engineThread;
  private final int rank;
  private final int size;

  Buffers(Thread engineThread, int rank, int size) {
    this.engineThread = engineThread;
    this.rank = rank;
    this.size = size;
  }

  void checkReduction(String operation, MemorySegment in, MemorySegment out, Dtype dtype) {
    checkInput(operation, in);
    checkOutput(operation, out);
    checkElements(operation, in.byteSize(), dtype);
    checkLength(operation, "output", out.byteSize(), in.byteSize());
    if (in.address() != out.address()) {
      checkDisjoint(operation, in, out);
    }
  }

  void checkAllGather(String operation, MemorySegment in, MemorySegment out) {
    checkInput(operation, in);
    checkOutput(operation, out);
    checkLength(operation, "output", out.byteSize(), times(operation, in.byteSize()));
    if (in.address() != out.address() + rank * in.byteSize()) {
      checkDisjoint(operation, in, out);
    }
  }

  void checkSumScatter(String operation, MemorySegment in, MemorySegment out, Dtype dtype) {
    checkInput(operation, in);
    checkOutput(operation, out);
    checkElements(operation, out.byteSize(), dtype);
    checkLength(operation, "input", in.byteSize(), times(operation, out.byteSize()));
    if (out.address() != in.address() + rank * out.byteSize()) {
      checkDisjoint(operation, in, out);
    }
  }

  void checkAverage(String operation, MemorySegment in, MemorySegment out, Dtype dtype) {
    if (dtype == Dtype.BOOL) {
      throw refuse(operation, "booleans have no mean; convert them to numbers");
    }
    checkReduction(operation, in, out, dtype);
  }

  void checkReduce(String operation, MemorySegment in, MemorySegment out, Dtype dtype, int root) {
    if (rank == root) {
      checkReduction(operation, in, out, dtype);
    } else {
      checkInput(operation, in);
      checkElements(operation, in.byteSize(), dtype);
    }
  }

  void checkGather(String operation, MemorySegment in, MemorySegment out, int root) {
    if (rank == root) {
      checkAllGather(operation, in, out);
    } else {
      checkInput(operation, in);
    }
  }

  void checkScatter(String operation, MemorySegment in, MemorySegment out, int root) {
    checkOutput(operation, out);
    if (rank == root) {
      checkInput(operation, in);
      checkLength(operation, "input", in.byteSize(), times(operation, out.byteSize()));
      if (out.address() != in.address() + rank * out.byteSize()) {
        checkDisjoint(operation, in, out);
      }
    }
  }

  void checkAllToAll(String operation, MemorySegment in, MemorySegment out) {
    checkInput(operation, in);
    checkOutput(operation, out);
    checkLength(operation, "output", out.byteSize(), in.byteSize());
    if (in.byteSize() % size != 0) {
      throw refuse(operation, in.byteSize() + " bytes are not " + size + " equal blocks");
    }
    checkDisjoint(operation, in, out);
  }

  void checkBroadcast(String operation, MemorySegment data) {
    checkOutput(operation, data);
  }

  void checkSend(String operation, MemorySegment data) {
    checkInput(operation, data);
  }

  void checkReceive(String operation, MemorySegment data) {
    checkOutput(operation, data);
  }

  private void checkInput(String operation, MemorySegment segment) {
    checkUsable(operation, "input", segment);
  }

  private void checkOutput(String operation, MemorySegment segment) {
    checkUsable(operation, "output", segment);
    if (segment.isReadOnly()) {
      throw refuse(operation, "output is read-only");
    }
  }

  private void checkUsable(String operation, String role, MemorySegment segment) {
    if (!segment.isNative()) {
      throw refuse(
          operation,
          role + " is on the heap; allocate it with the group's allocate or from an Arena");
    }
    if (!segment.scope().isAlive()) {
      throw refuse(operation, role + " is closed: its arena was closed");
    }
    if (!segment.isAccessibleBy(engineThread)) {
      throw refuse(
          operation,
          role
              + " is confined to another thread than "
              + engineThread.getName()
              + "; allocate it with the group's allocate or from Arena.ofShared");
    }
  }

  private void checkElements(String operation, long bytes, Dtype dtype) {
    if (bytes % dtype.bytes() != 0) {
      throw refuse(
          operation,
          bytes + " bytes are not a whole number of " + dtype + " (" + dtype.bytes() + " bytes)");
    }
  }

  private void checkLength(String operation, String role, long gotBytes, long wantBytes) {
    if (gotBytes != wantBytes) {
      throw refuse(operation, role + " has " + gotBytes + " bytes, want " + wantBytes);
    }
  }

  private long times(String operation, long blockBytes) {
    try {
      return Math.multiplyExact(blockBytes, (long) size);
    } catch (ArithmeticException e) {
      throw refuse(operation, size + " blocks of " + blockBytes + " bytes are too large");
    }
  }

  private void checkDisjoint(String operation, MemorySegment in, MemorySegment out) {
    boolean disjoint =
        in.address() + in.byteSize() <= out.address()
            || out.address() + out.byteSize() <= in.address();
    if (!disjoint) {
      throw refuse(
          operation,
          "input and output overlap in part; make them the same memory (in place) or separate");
    }
  }

  private InvalidBufferException refuse(String operation, String why) {
    return new InvalidBufferException(operation + " on rank " + rank + ": " + why);
  }
}
